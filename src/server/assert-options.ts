// Looks at options of somebody who writes plain JavaScript: what is wrong is found at the start, and not with the first user.

/** @throws TypeError that names the first of these functions that is none. */
export function assertFunctions(option: string, value: unknown, names: readonly string[]): void {
  const wrong = names.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function');
  if (wrong !== undefined) throw new TypeError(`${option}${wrong} must be a function.`);
}

/** @throws TypeError when it is no group of options: of a number, or of a list, nothing but the defaults would be read. */
export function assertGroup(option: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`${option} must be an object.`);
}
