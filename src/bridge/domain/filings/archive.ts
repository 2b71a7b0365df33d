import { Zip, ZipPassThrough } from 'fflate';
import type { DocumentType } from '../../ports/document-scanner.js';
import type { FilingPackage } from '../../ports/filing-gateway.js';
import { createPdf } from '../../pdf/pdf-writer.js';

const extensions: Readonly<Record<DocumentType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** A filing package as PDF, for the department or a printer. */
export function packagePdf(
  filing: Pick<FilingPackage, 'applicationId' | 'state' | 'sections'>,
  now: Date,
): Promise<Buffer> {
  const title = `License application ${filing.applicationId}, ${filing.state}`;
  const pdf = createPdf({ title, language: 'en', createdAt: now, footer: title });
  pdf.heading(title);
  for (const { title: heading, rows } of filing.sections) {
    pdf.heading(heading, 2);
    if (rows.length === 0) pdf.paragraph('None.');
    else pdf.rows(rows.map(({ label, value }) => ({ label, value })));
  }
  return pdf.end();
}

/**
 * A filing package and its documents as one ZIP archive, streamed so that only one document is in
 * memory at a time. Documents keep their names after a number, so that names are unique, and get
 * the extension of their detected type.
 */
export async function* packageArchive(filing: FilingPackage, now: Date): AsyncGenerator<Uint8Array, void> {
  const pieces: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, piece) => {
    if (error) failure = error;
    else pieces.push(piece);
  });
  const add = (name: string, content: Uint8Array) => {
    // Stored without compression: PDF, PNG and JPEG are compressed already.
    const file = new ZipPassThrough(name);
    file.mtime = now;
    zip.add(file);
    file.push(content, true);
  };
  add('application.pdf', await packagePdf(filing, now));
  for (const [index, { name, type, read }] of filing.documents.entries()) {
    yield* pieces.splice(0);
    add(`documents/${String(index + 1).padStart(2, '0')}-${fileNameOf(name, type)}`, await read());
  }
  zip.end();
  if (failure) throw failure;
  yield* pieces.splice(0);
}

function fileNameOf(name: string, type: DocumentType): string {
  const base = name.replace(/\.[a-z]{1,5}$/i, '').replace(/[^\p{L}\p{N} ._-]/gu, '_');
  return `${base || 'document'}.${extensions[type]}`;
}
