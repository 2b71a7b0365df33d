/** The type of a downloaded table. */
export const csvType = 'text/csv; charset=utf-8';

/**
 * Writes a table as CSV (RFC 4180), with a byte order mark, by which spreadsheets know that it is
 * UTF-8.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

/**
 * An apostrophe before what a spreadsheet would run as a formula: names and references come from
 * others, and a formula can send the other cells to a foreign server.
 */
function cellOf(text: string): string {
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
