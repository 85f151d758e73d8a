/** Wakes everybody who waits for something to have changed. */
export class Condition {
  #rung: (() => void) | undefined;
  #next: Promise<void> | undefined;

  /** Resolves at the next ring. */
  wait(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.#rung = resolve;
    });
    return this.#next;
  }

  notify(): void {
    this.#rung?.();
    this.#rung = undefined;
    this.#next = undefined;
  }
}
