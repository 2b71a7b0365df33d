import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type {
  CatalogueTexts,
  Disclosure,
  Jurisdiction,
  Question,
  Release,
} from '../../../src/bridge/catalogue/content.js';

/** The data of the shipped release. */
export const shippedData = fileURLToPath(new URL('../../../src/bridge/catalogue/data', import.meta.url));

/** The files that tests change, with the shape of their content. */
interface Files {
  release: Release;
  questions: Question[];
  disclosures: Disclosure[];
  jurisdictions: Jurisdiction[];
  'en/questions': CatalogueTexts['questions'];
  'es/questions': CatalogueTexts['questions'];
  'en/disclosures': CatalogueTexts['disclosures'];
  'es/disclosures': CatalogueTexts['disclosures'];
  'en/attestations': CatalogueTexts['attestations'];
  'es/attestations': CatalogueTexts['attestations'];
}

/** A copy of the shipped release that a test may change; it is removed with the test. */
export interface ReleaseCopy {
  folder: string;
  /** Changes the value of a file, such as `en/questions`. */
  change<File extends keyof Files>(file: File, change: (value: Files[File]) => Files[File] | void): void;
  /** Replaces the text of a file. */
  write(file: string, text: string | Buffer): void;
}

/** Copies the shipped release into a new folder. */
export function copyOfRelease(t: Pick<TestContext, 'after'>): ReleaseCopy {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  cpSync(shippedData, folder, { recursive: true });
  const write = (file: string, text: string | Buffer) => {
    writeFileSync(join(folder, `${file}.json`), text);
  };
  return {
    folder,
    write,
    change(file, change) {
      const value = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Files[typeof file];
      write(file, JSON.stringify(change(value) ?? value, null, 2));
    },
  };
}
