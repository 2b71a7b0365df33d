/**
 * The maximum number of claims in a row by which all agencies are looked at once, when more is due
 * than one claim looks at. The rest get their turn with the next poll.
 */
const maxClaims = 16;

/**
 * The turns of the agencies. A claim looks at some agencies, after the last one of the claim before,
 * so that an agency with many events does not keep the others waiting. A turn is the claims that
 * look at every agency once.
 */
export class Turn {
  /** The agency after which the next claim continues; "" at the first one. */
  place = '';
  /** The claims that may still follow; 0 when every agency has been looked at. */
  #claimsLeft = 0;
  /** Whether the turn began with the first agency, or has come back to it. */
  #isWhole = false;
  #isNewDue = false;
  #isOneEnough = false;

  /**
   * The next claim begins a turn: an event was written, of any agency, also of one before the place
   * where the last claim stopped.
   */
  beginAnew(): void {
    this.#isNewDue = true;
  }

  /** The next claim needs no turn: a delivery has ended, and its slot is free. */
  claimOnce(): void {
    this.#isOneEnough = true;
  }

  /** Call it before a claim. */
  begin(): void {
    if (this.#isNewDue || (!this.#isOneEnough && this.#claimsLeft === 0)) {
      this.#claimsLeft = maxClaims;
      this.#isWhole = this.place === '';
    }
    this.#isNewDue = false;
    this.#isOneEnough = false;
  }

  /** Call it after a claim that left slots free. Returns whether another claim follows at once. */
  goesOn(): boolean {
    const isEnd = this.place === '';
    this.#claimsLeft = isEnd && this.#isWhole ? 0 : Math.max(0, this.#claimsLeft - 1);
    if (isEnd) this.#isWhole = true;
    return this.#claimsLeft > 0;
  }
}
