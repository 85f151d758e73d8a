/** Waits until all organizations are examined and the user has confirmed. Nothing is sent before. */
import { counted } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import type { Approval } from "../../run/context.ts";
import type { ProfileOutcome } from "./outcome.ts";

/** A barrier: those who wait continue when all have arrived and `confirm` has resolved. */
export class Barrier {
  #missing: number;
  #open: () => void = () => {};
  readonly #confirmed: Promise<void>;

  /** `confirm` is called once. If it throws, those who wait fail with that error. */
  constructor(count: number, confirm: () => Promise<void>) {
    this.#missing = count;
    this.#confirmed = new Promise<void>((open) => {
      this.#open = open;
    }).then(confirm);
    // If nobody waits, nobody handles the error.
    this.#confirmed.catch(() => undefined);
  }

  arrive(): void {
    if (--this.#missing === 0) this.#open();
  }

  wait(): Promise<void> {
    this.arrive();
    return this.#confirmed;
  }
}

/** Limits how many organizations run at once. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** Returns the question for all organizations. Undefined without changes. */
export function barrierQuestion(outcomes: readonly ProfileOutcome[]): string | undefined {
  const changing = outcomes.filter((one): one is ProfileOutcome & { approval: Approval } =>
    Boolean(one.approval?.changes),
  );
  if (!changing.length) return undefined;
  const total = changing.reduce((sum, { approval }) => sum + approval.changes, 0);
  const counts = changing.map(
    ({ profile, approval: { organization, changes } }) =>
      `${profile} (${organization.host}): ${counted(changes, "change")}`,
  );
  // A detail that all share is stated once.
  const byText = groupBy(changing, ({ approval: { question } }) =>
    question ? [`${question.question}?`, question.consequence].filter(Boolean).join(" ") : "",
  );
  byText.delete("");
  const details = [...byText].map(([text, same]) =>
    same.length === changing.length ? text : `${same.map(({ profile }) => profile).join(", ")}: ${text}`,
  );
  const head = `Send ${counted(total, "change")} to ${counted(changing.length, "organization")}?`;
  return [head, `${counts.join("; ")}.`, ...details].join(" ");
}
