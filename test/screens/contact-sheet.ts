import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { Camera, Picture } from './camera.js';

/** The width at which the middle of a wide picture is shown. */
const tileWidth = 476;
const longestTile = 960;
const sheetHeight = 1_000;

/**
 * Combines the pictures of a group, one row per subject: `index.html` to click through,
 * `sheet-1.png` … to glance at.
 */
export async function writeContactSheets(browser: Browser, camera: Camera): Promise<string[]> {
  const { folder } = camera;
  const file = join(folder, 'index.html');
  writeFileSync(file, documentOf(camera));
  const page = await browser.newPage({ viewport: { width: 1400, height: sheetHeight } });
  await page.goto(pathToFileURL(file).href);
  const paths: string[] = [];
  for (const [index, sheet] of (await page.locator('section').all()).entries()) {
    const path = join(folder, `sheet-${index + 1}.png`);
    await sheet.screenshot({ path });
    paths.push(path);
  }
  await page.close();
  return paths;
}

/** The number of rows that fit on a sheet. */
function sheetsOf({ pictures, middle }: Camera): string {
  const scale = tileWidth / middle;
  const sheets: string[] = [];
  let heightLeft = 0;
  for (const row of Object.values(groupBySubject(pictures))) {
    const height = Math.max(...row.map((picture) => tileHeightOf(picture, scale)));
    if (height > heightLeft) {
      sheets.push('');
      heightLeft = sheetHeight;
    }
    heightLeft -= height;
    sheets.push(`${sheets.pop() ?? ''}${rowOf(row, scale)}`);
  }
  return sheets.map((rows) => `<section>${rows}</section>`).join('');
}

function groupBySubject(pictures: readonly Picture[]): Record<string, Picture[]> {
  const rows: Record<string, Picture[]> = {};
  for (const picture of pictures) (rows[picture.subject] ??= []).push(picture);
  return rows;
}

function rowOf(row: readonly Picture[], scale: number): string {
  const tiles = row.map((picture) => {
    const { file, width } = picture;
    const shown = Math.round(width * scale);
    const tile = `width: ${Math.min(shown, tileWidth)}px; height: ${tileHeightOf(picture, scale)}px`;
    return `<a href="${file}" style="${tile}"><img src="${file}" alt="${file}" width="${shown}" /></a>`;
  });
  return `<h2>${row[0]?.subject ?? ''}</h2><div>${tiles.join('')}</div>`;
}

function tileHeightOf({ height }: Picture, scale: number): number {
  return Math.min(Math.round(height * scale), longestTile);
}

function documentOf(camera: Camera): string {
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>${camera.group}</title>
  <style>
    body { margin: 0; font: 14px/1.4 sans-serif; background: #888; }
    section { padding: 4px 12px 12px; }
    h2 { margin: 6px 0 3px; font-size: 14px; }
    div { display: flex; flex-wrap: wrap; gap: 8px; }
    a { display: flex; justify-content: center; overflow: hidden; }
    img { flex: none; align-self: start; }
  </style>
  ${sheetsOf(camera)}
</html>
`;
}
