/** The oldest Node that has all of what the bundle uses: the client that delivers webhooks (undici) says so of itself. */
const oldest = [22, 19] as const;

/** What to say to somebody whose Node is too old for the bridge; `undefined` when it is not. */
export function describeOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld ? `licensing-bridge needs Node ${oldest.join('.')} or later, and this is ${version}.` : undefined;
}
