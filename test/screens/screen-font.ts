import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const names = ['system-ui', 'sans-serif', 'sans'];

/**
 * The environment of a browser whose font of the system is Inter, where it is installed (Debian:
 * `fonts-inter`): the fallback of a machine without a desktop is not what users see.
 */
export function withScreenFont(): Record<string, string> {
  const alias = (name: string) =>
    `<match target="pattern"><test name="family"><string>${name}</string></test>
      <edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`;
  const file = join(mkdtempSync(join(tmpdir(), 'licensing-apply-fonts-')), 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
    <fontconfig><include>/etc/fonts/fonts.conf</include>${names.map(alias).join('')}</fontconfig>`,
  );
  const environment = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(environment), FONTCONFIG_FILE: file };
}
