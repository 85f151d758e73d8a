/** How often a download may break: three times in any minute in which something comes. */

const most = 3;
const minute = 60_000;

export class Resumptions {
  /** Milliseconds in which something came: silence makes no room for further breaks. */
  #progress = 0;
  #last: number | undefined;
  #taken: number[] = [];

  /** Some of the file has come. */
  came(now: number): void {
    if (this.#last !== undefined) this.#progress += now - this.#last;
    this.#last = now;
  }

  /** It broke off. The pause before it goes on, in milliseconds; undefined where it must not. `random` goes from 0 up to 1. */
  take(random: number): number | undefined {
    this.#last = undefined;
    const recent = this.#taken.filter((at) => this.#progress - at < minute);
    if (recent.length >= most) return undefined;
    this.#taken = [...recent, this.#progress];
    return 500 * 2 ** recent.length * (0.5 + random);
  }
}
