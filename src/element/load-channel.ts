import type { openElementEnd } from '../channel/index.js';

/**
 * Resolves with what opens the element's end of the channel. The browser fetches it once, whoever asks first; rejects when it
 * cannot be fetched.
 */
export async function loadChannel(): Promise<typeof openElementEnd> {
  return (await import('../channel/index.js')).openElementEnd;
}
