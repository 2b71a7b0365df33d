import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import { createPdf } from '../../../src/bridge/pdf/pdf-writer.js';

/** A document as text: its objects, followed by its inflated streams. */
function readPdf(bytes: Buffer): string {
  const raw = bytes.toString('latin1');
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = '']) => {
    try {
      return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return [raw, ...streams].join('\n');
}

/** The turns of the event loop while this work is not done: in each, the bridge serves others. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = async () => {
    for (; !isDone; turns += 1) await setImmediate();
  };
  const counted = count();
  await work.finally(() => {
    isDone = true;
  });
  await counted;
  return turns;
}

const rowCount = 30;

/** A document of many rows about one name. */
function writeRows(name: string): Promise<Buffer> {
  const pdf = createPdf({ title: name, language: 'en', createdAt: new Date(0) });
  pdf.heading(name);
  pdf.rows(Array.from({ length: rowCount }, (_, index) => ({ label: `Row ${index}`, value: `${name} ${index}` })));
  return pdf.end();
}

const pagesOf = (text: string) => text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;

describe('the PDF writer', () => {
  it('A PDF document is tagged and has a title and a language, so that a screen reader can read it.', async () => {
    const pdf = createPdf({ title: 'Recibo', language: 'es', createdAt: new Date(0) });
    pdf.heading('Recibo');
    pdf.rows([{ label: 'Total', value: '$151.20' }]);
    pdf.table({ columns: ['Estado', 'Suma'], rows: [['Texas', '$65.60']], total: ['Total', '$65.60'] });
    const text = readPdf(await pdf.end());
    match(text, /^%PDF-1\.7/);
    match(text, /\/Lang \(es\)/);
    match(text, /\/Marked true/);
    match(text, /\/DisplayDocTitle true/);
    for (const tag of ['H1', 'Table', 'TR', 'TH', 'TD']) match(text, new RegExp(`/S /${tag}\\b`), tag);
  });

  it('A PDF document contains names with letters of other languages, each as the right letter.', async () => {
    const pdf = createPdf({ title: 'Names', language: 'en', createdAt: new Date(0) });
    pdf.rows([{ label: 'Name', value: 'Nguyễn Łukasz Жуков' }]);
    const text = readPdf(await pdf.end());
    // The maps from glyphs to letters, which search, copy and screen readers use: ễ, Ł and Ж.
    for (const letter of ['1ec5', '0141', '0416']) match(text.toLowerCase(), new RegExp(letter), letter);
  });

  it('A long value continues on as many pages as it needs, and nothing is lost between them.', async () => {
    const pdf = createPdf({ title: 'Long', language: 'en', createdAt: new Date(0), footer: 'Application' });
    pdf.rows([
      { label: 'Explanation', value: 'A plain sentence of a long story. '.repeat(600) },
      { label: 'Empty', value: '' },
    ]);
    pdf.heading('After it', 2);
    const bytes = await pdf.end();
    ok(pagesOf(readPdf(bytes)) >= 5, 'several pages');
    const short = createPdf({ title: 'Short', language: 'en', createdAt: new Date(0) });
    short.paragraph('A line.\u0000\u0007 And more.');
    equal(pagesOf(readPdf(await short.end())), 1);
  });

  it('A PDF document parses each of its fonts once, however often they alternate.', async () => {
    const pdf = createPdf({ title: 'Fonts', language: 'en', createdAt: new Date(0) });
    for (const state of ['Texas', 'California', 'Nevada']) {
      pdf.paragraph('In review');
      pdf.heading(state, 2);
    }
    // pdfkit takes the next number for each font that it parses.
    const used = readPdf(await pdf.end()).matchAll(/\/(F\d+) [\d.]+ Tf/g);
    deepEqual([...new Set([...used].map(([, name]) => name))].sort(), ['F1', 'F2']);
  });

  it('Between the rows of a PDF document the bridge serves others, also while several are written.', async () => {
    ok((await turnsDuring(writeRows('Texas'))) >= rowCount);
    ok((await turnsDuring(Promise.all([writeRows('Texas'), writeRows('Nevada')]))) >= 2 * rowCount);
  });

  it('Documents that are written at once are the same as one by one, and one that fails stops no other.', async () => {
    const alone = [await writeRows('Nguyễn'), await writeRows('Łukasz')];
    const broken = createPdf({ title: 'Broken', language: 'en', createdAt: new Date(0) });
    broken.paragraph(undefined as unknown as string);
    const failed = rejects(broken.end(), TypeError);
    deepEqual(await Promise.all([writeRows('Nguyễn'), writeRows('Łukasz')]), alone);
    await failed;
  });
});
