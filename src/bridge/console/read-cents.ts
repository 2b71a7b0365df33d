/** Converts typed US dollars, such as `12.50`, to cents; `undefined` for anything else. */
export function readCents(text: string): number | undefined {
  const [, whole, cents = ''] = /^\$?(\d{1,7})(?:\.(\d{2}))?$/.exec(text.replaceAll(',', '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents === '' ? '0' : cents);
}
