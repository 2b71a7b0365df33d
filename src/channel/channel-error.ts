/**
 * What becomes of a call that brings no answer.
 *
 * - `not_connected`: no page is connected; nothing was sent.
 * - `disconnected`: the page went away before it answered.
 * - `timeout`: no answer in time.
 * - `refused`: the page does not take this message.
 * - `failed`: the page took the message and failed.
 * - `invalid_answer`: the answer has not the shape that the protocol gives it.
 */
export type ChannelErrorCode = 'not_connected' | 'disconnected' | 'timeout' | 'refused' | 'failed' | 'invalid_answer';

/** Why a call on the channel brought no answer. Carries a code and nothing of the other side: no text, no stack. */
export class ChannelError extends Error {
  /** Stable; see {@link ChannelErrorCode}. */
  readonly code: ChannelErrorCode;

  constructor(code: ChannelErrorCode, type: string) {
    super(`${type}: ${code}`);
    this.code = code;
  }
}
