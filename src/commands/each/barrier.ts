/** Waits until all organizations are examined and the user has confirmed. Nothing is sent before. */
import { counted } from "../../counted.ts";
import { groupBy } from "../../group-by.ts";
import type { Approval } from "../../run/context.ts";

export interface Arrival extends Approval {
  profile: string;
}

export class Barrier {
  /** The number of organizations that are still being examined. */
  #missing: number;
  readonly #arrivals: Arrival[] = [];
  readonly #approve: (arrivals: readonly Arrival[]) => Promise<void>;
  #open: (verdict: Promise<void>) => void = () => {};
  readonly #opened = new Promise<void>((open) => {
    this.#open = open;
  });

  /** `approve` is called once, unless there are no changes. If it throws, every organization fails with that error. */
  constructor(organizations: number, approve: (arrivals: readonly Arrival[]) => Promise<void>) {
    this.#missing = organizations;
    this.#approve = approve;
  }

  get used(): boolean {
    return this.#arrivals.length > 0;
  }

  /** Resolves when all are examined and the changes are confirmed. */
  pass(arrival: Arrival): Promise<void> {
    this.#arrivals.push(arrival);
    this.leave();
    return this.#opened;
  }

  /** Marks an organization as examined. */
  leave(): void {
    if (--this.#missing > 0) return;
    const opened = this.used ? this.#approve(this.#arrivals) : Promise.resolve();
    // The error is only for organizations that wait.
    opened.catch(() => undefined);
    this.#open(opened);
  }
}

/** A semaphore that limits how many organizations run at once. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** Formats `acme (chat.acme.example): 2 changes`. */
const countOf = ({ profile, place, changes }: Arrival): string =>
  `${profile} (${place.host}): ${counted(changes, "change")}`;

/** Returns the question for all organizations. Undefined without changes. */
export function questionOf(arrivals: readonly Arrival[]): string | undefined {
  const changing = arrivals.filter(({ changes }) => changes > 0);
  if (!changing.length) return undefined;
  const total = changing.reduce((sum, { changes }) => sum + changes, 0);
  // A detail that all share is stated once.
  const byText = groupBy(changing, ({ question }) =>
    question ? [`${question.question}?`, question.consequence].filter(Boolean).join(" ") : "",
  );
  byText.delete("");
  const details = [...byText].map(([text, same]) =>
    same.length === changing.length ? text : `${same.map(({ profile }) => profile).join(", ")}: ${text}`,
  );
  const head = `Send ${counted(total, "change")} to ${counted(changing.length, "organization")}?`;
  return [head, `${changing.map(countOf).join("; ")}.`, ...details].join(" ");
}
