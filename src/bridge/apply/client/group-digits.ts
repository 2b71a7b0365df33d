/**
 * Groups the digits of a field while they are typed or pasted, such as 123-45-6789, and keeps the
 * caret at its digit.
 *
 * @param groupsOf The lengths of the groups, which may depend on the digits so far.
 */
export function groupDigits(
  input: HTMLInputElement,
  separator: string,
  groupsOf: (digits: string) => readonly number[],
): void {
  input.addEventListener('input', (event) => {
    const before = digitsOf(input.value.slice(0, input.selectionStart ?? undefined)).length;
    const digits = digitsOf(input.value);
    const groups = groupsOf(digits);
    const text = join(digits, separator, groups);
    if (text === input.value) return;
    input.value = text;
    // After a deletion the caret stays before the separator: after it, each further deletion would
    // only delete the separator, which is added again.
    const isDeletion = event instanceof InputEvent && event.inputType.startsWith('delete');
    const caret = join(digits.slice(0, before), separator, groups).length;
    const isAtEnd = before >= digits.length;
    const isBeforeSeparator = text[caret] === separator && !isDeletion && !isAtEnd;
    const position = isBeforeSeparator ? caret + separator.length : caret;
    input.setSelectionRange(position, position);
  });
}

/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Digits beyond the last group are kept at its end: the server reports that there are too many. */
function join(digits: string, separator: string, groups: readonly number[]): string {
  const parts: string[] = [];
  let rest = digits;
  for (const length of groups) {
    if (rest === '') break;
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts.join(separator) + rest;
}
