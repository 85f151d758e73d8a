/** The rows of a run: for each difference its requests, with what looking again has told of them. */
import { operationNamed } from "../../api/registry.ts";
import type { Change, ChangeResult } from "../../engine/change.ts";
import type { ChangeRow } from "../../engine/reorder-buffer.ts";
import type { Key } from "../../engine/task.ts";
import { keyOf } from "../../engine/task.ts";
import { Conflict, type Failure } from "../../errors.ts";
import type { Call } from "../../wire/call.ts";
import { idOf, type Judgement } from "../judgement/verdict.ts";
import type { Step } from "../order.ts";
import type { KeptStep, Layout, Order } from "./steps.ts";

interface Looked {
  readonly judgements: readonly Judgement[];
  /** The requests for what is left. */
  readonly steps: readonly Step[];
  /** Why it is not known whether a request was applied, of those that an earlier run has sent. */
  readonly doubt: (key: Key) => Failure | undefined;
}

/** What stands for a request that is not made any more. */
function settled({ operation, target, part, fields }: KeptStep): Change {
  const stated = operationNamed(operation);
  if (!stated) throw new Error(`there is no operation ${operation}`);
  const call = { operation: stated, args: {} } as unknown as Call;
  return {
    ...call,
    target,
    done: "{what}.",
    words: { what: fields.join(", ") || part },
    verifyWith: "zulipctl org plan",
  };
}

const done = (id?: number, member?: string): ChangeResult => ({
  outcome: "done",
  answer: id === undefined || member === undefined ? {} : { [member]: id },
  ignored: [],
  unchanged: true,
});

const conflict = ({ target }: KeptStep, says: string): ChangeResult => ({
  outcome: "refused",
  failure: new Conflict(`${target} ${says}`, {
    outcome: "not_sent",
    hint: "Plan again to see what differs now.",
  }),
});

/** An invitation is the one thing that a server makes a second time without a word. */
const twice = new Set(["invite.add"]);

export function rowsOf(layout: Layout, { steps: all }: Order, { judgements, steps, doubt }: Looked): ChangeRow[] {
  const left = new Map(steps.map((step) => [`${step.of} ${step.part}`, step]));
  // What is left may take a request that the order did not have: it comes after the others of its row.
  const extra = new Map<number, Step[]>();
  for (const step of steps)
    if (layout.key(step.of, step.part) === undefined) extra.set(step.of, [...(extra.get(step.of) ?? []), step]);
  const keyOfStep = ({ of, part }: Pick<Step, "of" | "part">): Key =>
    layout.key(of, part) ??
    keyOf(layout.row(of), layout.partsOf(of).length + extra.get(of)!.findIndex((each) => each.part === part));
  const isLeft = ({ of, part }: KeptStep): boolean => left.has(`${of} ${part}`);
  /** Of what was before it in the order, only what is not sent any more still counts: it may have come to nothing. */
  const before = (kept: KeptStep | undefined, step: Step, kind: "needs" | "follows"): Key[] => [
    ...step[kind].map((place) => keyOfStep(steps[place]!)),
    ...(kept?.[kind] ?? []).flatMap((place) => (isLeft(all[place]!) ? [] : [keyOfStep(all[place]!)])),
  ];
  const changeOf = (step: Step, kept?: KeptStep): Change => {
    const after = [...new Set(before(kept, step, "needs"))];
    const follows = [...new Set(before(kept, step, "follows"))].filter((key) => !after.includes(key));
    return { ...step.change, after, ...(follows.length && { follows }) };
  };
  const verdictOf = (kept: KeptStep): ChangeResult | undefined => {
    const judgement = judgements[kept.of]!;
    if (judgement.is === "conflict") return conflict(kept, judgement.says);
    if (!isLeft(kept)) return done(idOf(judgement), kept.makes);
    const failure = twice.has(kept.operation) ? doubt(keyOfStep(kept)) : undefined;
    return failure && { outcome: "unknown", failure };
  };
  return layout.differences.map((of) => {
    const parts = layout.partsOf(of);
    const changes = parts.map((kept) => {
      const step = left.get(`${kept.of} ${kept.part}`);
      return step ? changeOf(step, kept) : { ...settled(kept), after: [] };
    });
    return {
      row: layout.row(of),
      changes: [...changes, ...(extra.get(of) ?? []).map((step) => changeOf(step))],
      verdicts: parts.map(verdictOf),
    };
  });
}
