/** Time that passes only when nothing else is left to do, and then at once. */
interface Event {
  at: number;
  /** Events of the same time happen in the order in which they were planned. */
  order: number;
  act: () => void;
}

/** Milliseconds. No story takes so long that is not going in circles. */
const longest = 7 * 24 * 3_600_000;

export class Time {
  /** Milliseconds since the beginning. */
  now = 0;
  readonly #events: Event[] = [];
  #order = 0;

  /** Plans something; the result takes it back. */
  after(ms: number, act: () => void): () => void {
    const event = { at: this.now + Math.max(0, ms), order: this.#order++, act };
    let place = this.#events.length;
    this.#events.push(event);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (before(this.#events[above]!, event)) break;
      this.#events[place] = this.#events[above]!;
      place = above;
    }
    this.#events[place] = event;
    return () => {
      event.act = () => {};
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        cancel();
        reject(signal!.reason);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Lets time pass until the work is done; throws where it waits for what never comes, or comes to no end. */
  async until<T>(work: Promise<T>): Promise<T> {
    let over = false;
    work.then(
      () => {
        over = true;
      },
      () => {
        over = true;
      },
    );
    for (;;) {
      await new Promise(setImmediate);
      if (over) return work;
      if (!this.pass()) throw new Error("everything waits and nothing will come");
      if (this.now > longest) throw new Error("it goes on for ever");
    }
  }

  /** Lets time pass until the next event; false where none is planned. */
  pass(): boolean {
    const next = this.#next();
    if (!next) return false;
    this.now = next.at;
    next.act();
    return true;
  }

  #next(): Event | undefined {
    const [first] = this.#events;
    const last = this.#events.pop();
    if (!first || !last || first === last) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#events.length) break;
      if (below + 1 < this.#events.length && before(this.#events[below + 1]!, this.#events[below]!)) below++;
      if (before(last, this.#events[below]!)) break;
      this.#events[place] = this.#events[below]!;
      place = below;
    }
    this.#events[place] = last;
    return first;
  }
}

const before = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
