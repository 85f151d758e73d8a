/** The rows of a run: for each difference its requests, with what looking again has told of them. */
import { operationNamed } from "../../api/registry.ts";
import type { Change, ChangeResult } from "../../engine/change.ts";
import type { SentCall } from "../../engine/sent-requests.ts";
import type { ChangeRow, Key } from "../../engine/task.ts";
import { keyOf } from "../../engine/task.ts";
import { Conflict } from "../../errors.ts";
import type { Call } from "../../wire/call.ts";
import { idOf, type Judgement } from "../judgement/verdict.ts";
import type { Step } from "../order.ts";
import { placesOf, type Recorded } from "./places.ts";
import type { KeptStep, Layout, Order } from "./steps.ts";

interface Looked {
  readonly judgements: readonly Judgement[];
  /** The requests for what is left. */
  readonly steps: readonly Step[];
  /** Undefined for a new run. */
  readonly earlier: Recorded | undefined;
  /** The command that shows what is left. */
  readonly verifyWith: string;
}

export interface Rows {
  readonly rows: readonly ChangeRow[];
  /** Where each request stands among them. */
  readonly keys: ReadonlyMap<Step, Key>;
}

/** What is kept of a request, but for what it waits for. */
type Told = Omit<KeptStep, "needs">;

/** What stands for a request that is not made any more. */
function settled({ operation, target, part, fields, does }: Told, verifyWith: string): Change {
  const stated = operationNamed(operation);
  if (!stated) throw new Error(`there is no operation ${operation}`);
  const call = { operation: stated, args: {} } as unknown as Call;
  return {
    ...call,
    target,
    done: "{what}.",
    words: { what: does ?? (fields.join(", ") || part) },
    verifyWith,
  };
}

const done = (id?: number, member?: string): ChangeResult => ({
  outcome: "done",
  answer: id === undefined || member === undefined ? {} : { [member]: id },
  ignored: [],
  unchanged: true,
});

const conflict = ({ target }: Told, says: string): ChangeResult => ({
  outcome: "refused",
  failure: new Conflict(`${target} ${says}`, {
    outcome: "not_sent",
    hint: "Plan again to see what differs now.",
  }),
});

/** An invitation is the one thing that a server makes a second time without a word. */
const twice = new Set(["invite.add"]);

/** Stands for a place that the order did not have: an earlier run has sent something there. */
function added(of: number, parts: readonly KeptStep[], sent: SentCall | undefined): Told {
  const { operation } = sent ?? parts[0]!;
  const alike = parts.filter((kept) => kept.operation === operation);
  const fields = [...new Set((alike.length ? alike : parts).flatMap((kept) => kept.fields))];
  const { part, target } = parts[0]!;
  return { of, part, operation, target, fields };
}

export function rowsOf(
  layout: Layout,
  { steps: all }: Order,
  { judgements, steps, earlier, verifyWith }: Looked,
): Rows {
  const own = new Map<number, Step[]>();
  for (const step of steps) own.set(step.of, [...(own.get(step.of) ?? []), step]);
  const places = new Map(layout.differences.map((of) => [of, placesOf(layout, of, own.get(of) ?? [], earlier)]));
  const keys = new Map(
    [...places].flatMap(([of, taken]) =>
      taken.flatMap((step, place) => (step ? [[step, keyOf(layout.row(of), place)] as const] : [])),
    ),
  );
  const keptKey = (kept: KeptStep): Key => layout.key(kept.of, kept.part)!;
  const taken = new Set(keys.values());
  const isLeft = (kept: KeptStep): boolean => taken.has(keptKey(kept));
  /** Of what was before it in the order, only what is not sent any more still counts: it may have come to nothing. */
  const needed = (kept: KeptStep | undefined, step: Step): Key[] => [
    ...step.needs.map((place) => keys.get(steps[place]!)!),
    ...(kept?.needs ?? []).flatMap((place) => (isLeft(all[place]!) ? [] : [keptKey(all[place]!)])),
  ];
  const changeOf = (step: Step, kept?: KeptStep): Change => ({
    ...step.change,
    after: [...new Set(needed(kept, step))],
  });
  const verdictOf = (kept: Told, key: Key, step: Step | undefined): ChangeResult | undefined => {
    const judgement = judgements[kept.of]!;
    if (judgement.is === "conflict") return conflict(kept, judgement.says);
    if (!step) return done(idOf(judgement), kept.makes);
    const known = twice.has(kept.operation) ? earlier?.known(key) : undefined;
    return known?.outcome === "unknown" ? known : undefined;
  };
  const rows = layout.differences.map((of) => {
    const row = layout.row(of);
    const parts = layout.partsOf(of);
    const stand = places.get(of)!.map((step, place) => {
      const key = keyOf(row, place);
      const sent = earlier?.requests?.of(key).at(-1);
      // What is new has none that was there before.
      const kept = parts[place] ?? (step ? undefined : added(of, parts, sent));
      return {
        change: step
          ? changeOf(
              step,
              parts.find(({ part }) => part === step.part),
            )
          : { ...settled(kept!, verifyWith), after: [] },
        verdict: kept && verdictOf(kept, key, step),
      };
    });
    return { row, changes: stand.map(({ change }) => change), verdicts: stand.map(({ verdict }) => verdict) };
  });
  return { rows, keys };
}
