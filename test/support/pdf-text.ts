import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF of this package, as PDF readers find it: by its fonts' maps from glyphs to
 * letters.
 */
export function pdfText(bytes: Buffer): string {
  // Each line ends with \n alone. A \r before it is the last byte of the deflated data.
  const streams = [...bytes.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) => {
    try {
      return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  const fonts = streams.filter((stream) => stream.includes('beginbfrange')).map(lettersOf);
  const lines = streams.flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, shown = '']) => shown));
  // The font of a line is not determined: another font's map returns a different text.
  return fonts.map((letters) => lines.map((line) => read(line, letters)).join('\n')).join('\n');
}

function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    const codes = [...list.matchAll(/<([0-9a-f ]+)>/gi)].map(([, code = '']) => code.replaceAll(' ', ''));
    for (const [index, code] of codes.entries()) {
      letters.set(Number.parseInt(first, 16) + index, Buffer.from(code, 'hex').swap16().toString('utf16le'));
    }
  }
  return letters;
}

function read(line: string, letters: Map<number, string>): string {
  const glyphs = [...line.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
  return glyphs.map((glyph) => letters.get(Number.parseInt(glyph, 16)) ?? '').join('');
}
