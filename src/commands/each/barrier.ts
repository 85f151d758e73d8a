/** Nothing is sent to any organization before all of them are examined and a person has agreed. */
import { counted } from "../../counted.ts";
import type { Approval } from "../../run/context.ts";

export interface Arrival extends Approval {
  profile: string;
}

export class Barrier {
  /** How many organizations are still being examined. */
  #missing: number;
  readonly #arrivals: Arrival[] = [];
  readonly #approve: (arrivals: readonly Arrival[]) => Promise<void>;
  #open: (verdict: Promise<void>) => void = () => {};
  readonly #opened = new Promise<void>((open) => {
    this.#open = open;
  });

  /** `approve` is called once, unless no organization has changes; what it throws all of them throw. */
  constructor(organizations: number, approve: (arrivals: readonly Arrival[]) => Promise<void>) {
    this.#missing = organizations;
    this.#approve = approve;
  }

  get used(): boolean {
    return this.#arrivals.length > 0;
  }

  /** Resolves when all organizations are examined and the changes are approved. */
  pass(arrival: Arrival): Promise<void> {
    this.#arrivals.push(arrival);
    this.leave();
    return this.#opened;
  }

  /** An organization is examined; of one that has ended nothing else is said. */
  leave(): void {
    if (--this.#missing > 0) return;
    const opened = this.used ? this.#approve(this.#arrivals) : Promise.resolve();
    // Where nobody waits, nobody hears of it.
    opened.catch(() => undefined);
    this.#open(opened);
  }
}

/** `acme (chat.acme.example): 2 changes`. */
const countOf = ({ profile, place, changes }: Arrival): string =>
  `${profile} (${place.host}): ${counted(changes, "change")}`;

/** The question for all of them; undefined where there is nothing to send. */
export function questionOf(arrivals: readonly Arrival[]): string | undefined {
  const changing = arrivals.filter(({ changes }) => changes > 0);
  if (!changing.length) return undefined;
  const total = changing.reduce((sum, { changes }) => sum + changes, 0);
  // What is asked of several organizations alike is said once.
  const says = new Map<string, string[]>();
  for (const { profile, question } of changing) {
    const text = question && `${question.question}?${question.consequence ? ` ${question.consequence}` : ""}`;
    if (text !== undefined) says.set(text, [...(says.get(text) ?? []), profile]);
  }
  const details = [...says].map(([text, profiles]) =>
    profiles.length === changing.length ? text : `${profiles.join(", ")}: ${text}`,
  );
  const head = `Send ${counted(total, "change")} to ${counted(changing.length, "organization")}?`;
  return [head, `${changing.map(countOf).join("; ")}.`, ...details].join(" ");
}
