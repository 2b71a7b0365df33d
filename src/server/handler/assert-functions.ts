/**
 * Looks at an option of somebody who writes plain JavaScript: what is wrong is found at the start, and not with the first user.
 * @throws TypeError that names the first of these functions that is none.
 */
export function assertFunctions(option: string, value: unknown, names: readonly string[]): void {
  const wrong = names.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function');
  if (wrong !== undefined) throw new TypeError(`${option}${wrong} must be a function.`);
}
