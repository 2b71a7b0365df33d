/**
 * A JSON answer whose size only the caller's data limits, as pieces of its encoded text, in order.
 * It is sent piece by piece, so that other requests are served in between. All of it exists before
 * the first byte is sent: a failure is an error, and not the end of half an answer.
 */
export class JsonPieces {
  readonly pieces: readonly Uint8Array[];
  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
  }
}
