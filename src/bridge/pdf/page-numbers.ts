import type { Language } from '../../contract/index.js';

/** The margins of a page, in points, of which 72 are an inch. */
export const margins = { top: 54, right: 54, bottom: 66, left: 54 } as const;

/** The color of labels and the footer. */
export const muted = '#555555';

const pageOf: Readonly<Record<Language, (page: number, count: number) => string>> = {
  en: (page, count) => `Page ${page} of ${count}`,
  es: (page, count) => `Página ${page} de ${count}`,
};

/** Writes the footer of each page with its number. Called once, when all pages are written. */
export function numberPages(
  doc: PDFKit.PDFDocument,
  { footer, language, width }: { footer: string; language: Language; width: number },
): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(start + index);
    // Below the margin pdfkit would start another page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - 42;
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    doc.font('regular').fontSize(8).fillColor(muted);
    doc.text(footer, margins.left, y, { width: width - 90, height: 20, ellipsis: true });
    doc.text(pageOf[language](index + 1, count), margins.left + width - 90, y, { width: 90, align: 'right' });
    doc.endMarkedContent();
  }
}
