/**
 * Writes documents with headings, paragraphs, rows and tables as tagged PDF, so that screen readers
 * find the headings, the rows and the language. Text continues over pages, each with the footer and
 * its number. The document is written at its end, in pieces: between them the event loop serves
 * others.
 *
 *     const pdf = createPdf({ title: 'Receipt', language: 'en', createdAt: new Date() });
 *     pdf.heading('Receipt');
 *     pdf.rows([{ label: 'Total', value: '$151.20' }]);
 *     const bytes = await pdf.end();
 */
import PdfDocument from 'pdfkit';
import type { Language } from '../../contract/index.js';
import { loadFont } from './fonts.js';
import { margins, muted, numberPages } from './page-numbers.js';
import { runInTurns } from './turns.js';

/** The properties of a document. */
export interface PdfOptions {
  /** Shown by PDF readers instead of the file name. */
  title: string;
  /** The language of the text. */
  language: Language;
  /** Default: `LETTER`. */
  size?: 'LETTER' | 'A4';
  /** The creation date in the file. */
  createdAt: Date;
  /** The text in the footer of each page, before the page number. Default: none. */
  footer?: string;
}

/** A label and its value. */
export interface PdfRow {
  label: string;
  /**
   * A text, or several lines. "" is written as a dash, so that it does not look like a missing
   * part.
   */
  value: string | readonly string[];
}

/** A table. The first column is the name of its row. */
export interface PdfTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** The last row, set in bold, such as a total. */
  total?: readonly string[];
}

/** The content of a document, from top to bottom. */
export interface Pdf {
  /** A heading. Default level: 1. */
  heading(text: string, level?: 1 | 2 | 3): void;
  /** A paragraph. */
  paragraph(text: string): void;
  /** A list with bullets. */
  list(items: readonly string[]): void;
  /** Rows of label and value. */
  rows(rows: readonly PdfRow[]): void;
  /** A table: the first column is aligned left, all others right. */
  table(table: PdfTable): void;
  /** Starts a new page. */
  pageBreak(): void;
  /** Writes the document. Resolves with its bytes. */
  end(): Promise<Buffer>;
}

const bodySize = 10;
const headingSizes = { 1: 18, 2: 13, 3: 11 } as const;
const ink = '#1a1a1a';
const ruleColor = '#bbbbbb';
/** The share of the width for labels. */
const labelShare = 0.36;
const columnGap = 12;

/** Starts a document. */
export function createPdf({ title, language, size = 'LETTER', createdAt, footer = '' }: PdfOptions): Pdf {
  const doc = new PdfDocument({
    size,
    margins,
    // The page numbers contain the total, which is only known at the end.
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: { Title: plain(title), Producer: 'licensing-apply', Creator: 'licensing-apply', CreationDate: createdAt },
    // No default font: pdfkit does not remember a registered font that equals it, and would parse
    // its file at each change of font.
    font: '',
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  // Bytes, not a parsed font for all documents: it keeps the letters of a glyph as first used, so a
  // "ﬁ" of one user would change how the "fi" of others is found.
  doc.registerFont('regular', loadFont('regular'));
  doc.registerFont('bold', loadFont('bold'));
  const width = doc.page.width - margins.left - margins.right;
  const bottom = () => doc.page.height - margins.bottom;
  const style = (font: 'regular' | 'bold', points = bodySize, color = ink) =>
    doc.font(font).fontSize(points).fillColor(color);
  const heightOf = (text: string, textWidth: number) => doc.heightOfString(text, { width: textWidth });

  /**
   * Starts a new page unless this height fits. A block that is higher than a page starts on the
   * current page.
   */
  function keepTogether(height: number): void {
    if (doc.y + height > bottom() && height < bottom() - margins.top) doc.addPage();
  }

  /** Writes text with a tag. */
  function write(
    parent: PDFKit.PDFStructureElement | undefined,
    tag: string,
    text: string,
    at: Place,
    scope?: 'Row' | 'Column',
  ): void {
    // The types do not know `scope` yet.
    const options = (scope ? { scope } : {}) as PDFKit.Mixins.StructureElementOptions;
    const element = doc.struct(tag, options, () => {
      doc.text(text, at.x, at.y, { width: at.width, align: at.align ?? 'left' });
    });
    if (parent) parent.add(element);
    else doc.addStructure(element);
    element.end();
  }

  function rule(y: number): void {
    doc.markContent('Artifact', { type: 'Layout' });
    doc
      .moveTo(margins.left, y)
      .lineTo(margins.left + width, y)
      .lineWidth(0.5)
      .strokeColor(ruleColor)
      .stroke();
    doc.endMarkedContent();
  }

  /**
   * One row of a table, on one page if it fits on one. In two pieces, because the answers of a user
   * fill several pages.
   */
  function* writeRow(table: PDFKit.PDFStructureElement, cells: readonly Cell[]): Pieces {
    const heights = cells.map(({ text, at, font, color }) => {
      style(font, bodySize, color);
      return heightOf(text, at.width);
    });
    yield;
    keepTogether(Math.max(...heights) + 8);
    const row = doc.struct('TR');
    table.add(row);
    const y = doc.y;
    const pages = doc.bufferedPageRange().count;
    let end = y;
    // The longest last, because it may continue on the next page.
    const order = cells.map((_, index) => index).sort((left, right) => (heights[left] ?? 0) - (heights[right] ?? 0));
    for (const index of order) {
      const cell = cells[index];
      if (!cell) continue;
      style(cell.font, bodySize, cell.color);
      write(row, cell.scope ? 'TH' : 'TD', cell.text, { ...cell.at, y }, cell.scope);
      end = doc.bufferedPageRange().count > pages ? doc.y : Math.max(end, doc.y);
    }
    row.end();
    doc.x = margins.left;
    doc.y = end + 4;
    rule(doc.y);
    doc.y += 4;
    yield;
  }

  function* writeHeading(text: string, level: 1 | 2 | 3): Pieces {
    style('bold', headingSizes[level]);
    const words = plain(text);
    // A heading stays with the first lines below it.
    keepTogether(heightOf(words, width) + 40);
    if (doc.y > margins.top) doc.y += level === 1 ? 10 : 8;
    write(undefined, `H${level}`, words, { x: margins.left, y: doc.y, width });
    doc.y += 4;
    yield;
  }

  function* writeParagraph(text: string): Pieces {
    style('regular');
    write(undefined, 'P', plain(text), { x: margins.left, y: doc.y, width });
    doc.y += 6;
    yield;
  }

  function* writeList(items: readonly string[]): Pieces {
    const list = doc.struct('L');
    doc.addStructure(list);
    for (const item of items) {
      style('regular');
      const words = plain(item);
      keepTogether(heightOf(words, width - 14));
      const line = doc.struct('LI');
      list.add(line);
      const y = doc.y;
      write(line, 'Lbl', '•', { x: margins.left, y, width: 10 });
      write(line, 'LBody', words, { x: margins.left + 14, y, width: width - 14 });
      line.end();
      doc.y += 3;
      yield;
    }
    list.end();
    doc.x = margins.left;
    doc.y += 3;
  }

  function* writeRows(rows: readonly PdfRow[]): Pieces {
    const table = doc.struct('Table');
    doc.addStructure(table);
    const labelWidth = width * labelShare;
    for (const { label, value } of rows) {
      const text = [value].flat().map(plain).join('\n') || '–';
      const valueX = margins.left + labelWidth + columnGap;
      yield* writeRow(table, [
        {
          scope: 'Row',
          text: plain(label),
          font: 'regular',
          color: muted,
          at: { x: margins.left, width: labelWidth },
        },
        { text, font: 'regular', color: ink, at: { x: valueX, width: width - labelWidth - columnGap } },
      ]);
    }
    table.end();
    doc.y += 4;
  }

  function* writeTable({ columns, rows, total }: PdfTable): Pieces {
    const table = doc.struct('Table');
    doc.addStructure(table);
    const places = placeColumns(columns.length, width);
    const line = (texts: readonly string[], isHead: boolean, font: 'regular' | 'bold') =>
      writeRow(
        table,
        places.map((at, index) => ({
          ...(isHead ? { scope: 'Column' as const } : index === 0 ? { scope: 'Row' as const } : {}),
          text: plain(texts[index] ?? '') || ' ',
          font,
          color: isHead ? muted : ink,
          at,
        })),
      );
    yield* line(columns, true, 'bold');
    for (const texts of rows) yield* line(texts, false, 'regular');
    if (total) yield* line(total, false, 'bold');
    table.end();
    doc.y += 4;
  }

  function* writePageBreak(): Pieces {
    doc.addPage();
    yield;
  }

  function* writeAll(): Pieces {
    for (const part of parts) yield* part;
    numberPages(doc, { footer: plain(footer), language, width });
    yield;
    // Before the fonts, which the end embeds.
    doc.flushPages();
    yield;
    doc.end();
  }

  // A generator writes nothing before its first turn.
  const parts: Pieces[] = [];
  return {
    heading: (text, level = 1) => void parts.push(writeHeading(text, level)),
    paragraph: (text) => void parts.push(writeParagraph(text)),
    list: (items) => void parts.push(writeList(items)),
    rows: (rows) => void parts.push(writeRows(rows)),
    table: (table) => void parts.push(writeTable(table)),
    pageBreak: () => void parts.push(writePageBreak()),
    async end() {
      await runInTurns(writeAll());
      await finished;
      return Buffer.concat(chunks);
    },
  };
}

/** Work in pieces: it yields after each. */
type Pieces = Generator<undefined, void, undefined>;

interface Place {
  x: number;
  y: number;
  width: number;
  align?: 'left' | 'right';
}

interface Cell {
  /** The scope of a header cell; absent for a value. */
  scope?: 'Row' | 'Column';
  text: string;
  font: 'regular' | 'bold';
  color: string;
  at: Omit<Place, 'y'>;
}

/** The first column is twice as wide as the others. */
function placeColumns(count: number, width: number): Omit<Place, 'y'>[] {
  const unit = (width - columnGap * (count - 1)) / (count + 1);
  return Array.from({ length: count }, (_, index) => ({
    x: margins.left + (index === 0 ? 0 : (index + 1) * unit + index * columnGap),
    width: index === 0 ? 2 * unit : unit,
    align: index === 0 ? 'left' : 'right',
  }));
}

/** Without control characters except LF, because fonts draw them as boxes. */
function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '');
}
