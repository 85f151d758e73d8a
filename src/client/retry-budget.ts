/** How long 429 answers may hold up a whole run. Waits that overlap cost once. */
export class RetryBudget {
  /** Milliseconds in all. */
  readonly budget: number;
  #left: number;
  #until = Number.NEGATIVE_INFINITY;

  /** Milliseconds. */
  constructor(budget: number) {
    this.budget = budget;
    this.#left = budget;
  }

  /** Takes a wait of `ms` that begins at `now`, of the clock that never jumps; false, and nothing taken, where it is too long. */
  spend(ms: number, now: number): boolean {
    const cost = Math.max(0, now + ms - Math.max(now, this.#until));
    if (cost > this.#left) return false;
    this.#left -= cost;
    this.#until = Math.max(this.#until, now + ms);
    return true;
  }
}
