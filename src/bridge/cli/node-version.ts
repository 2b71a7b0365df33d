/** The oldest supported Node, which undici, the client for webhooks, requires. */
const oldest = [22, 19] as const;

/** The error for a Node that is too old; `undefined` for a supported one. */
export function describeOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld ? `licensing-bridge needs Node ${oldest.join('.')} or later, and this is ${version}.` : undefined;
}
