/** Begins or takes up a run, as the organization is right before its first change. */

import { createHash } from "node:crypto";
import type { Found } from "../../../batch/validation.ts";
import type { Server } from "../../../client/server.ts";
import type { Change } from "../../../engine/change.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { Header } from "../../../engine/journal.ts";
import type { Run } from "../../../engine/run.ts";
import type { ChangeRow } from "../../../engine/task.ts";
import { type Key, keyOf } from "../../../engine/task.ts";
import { transport } from "../../../engine/transport.ts";
import { unsent } from "../../../errors.ts";
import { covers } from "../../../organization/apply/places.ts";
import { rowsOf } from "../../../organization/apply/rows.ts";
import { Layout, type Order } from "../../../organization/apply/steps.ts";
import type { Difference } from "../../../organization/difference.ts";
import { asItWas } from "../../../organization/judgement/language.ts";
import { judge } from "../../../organization/judgement.ts";
import { lastIds } from "../../../organization/last-ids.ts";
import { ordered, refusedIn, type Step } from "../../../organization/order.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import { refuse } from "./asked.ts";
import { MadeSoFar } from "./made.ts";

export interface Looking {
  readonly server: Server;
  /** Undefined for a dry run of what was not begun. */
  readonly run: Run | undefined;
  readonly order: Order;
  /** As the organization is now: others may have changed things since the plan was made. */
  readonly snapshot: Snapshot;
  readonly verifyWith: string;
  /** As for `ordered`. */
  readonly portion: number | undefined;
  /** Looks at what is left before anything of it is sent. */
  insist(left: readonly Difference[], changes: readonly Change[], now: Snapshot): Promise<void>;
}

/** What is left of a plan, and where it stands. */
export interface Left {
  readonly layout: Layout;
  readonly made: MadeSoFar;
  readonly steps: readonly Step[];
  readonly rows: readonly ChangeRow[];
  readonly keys: ReadonlyMap<Step, Key>;
}

/** Throws where something of what is left stands against being sent. */
export async function look({ server, run, order, snapshot, verifyWith, portion, insist }: Looking): Promise<Left> {
  const earlier = run?.earlier;
  const layout = new Layout(order);
  const made = new MadeSoFar(layout, order, earlier);
  const judgements = judge(snapshot, order.differences, made);
  const left = judgements.map((each) => (each.is === "open" ? each.left : undefined));
  const steps = ordered(asItWas(snapshot, made), left, { verifyWith, portion });
  // A run that is gone on with has begun: there the rest is done that can be.
  if (!earlier) refuse(refusedIn(steps, left));
  const changes = steps.map(({ change }) => change);
  for (const change of changes) await unsent(() => server.gate(change, change));
  await insist(
    left.flatMap((each) => each ?? []),
    changes,
    snapshot,
  );
  return { layout, made, steps, ...rowsOf(layout, order, { judgements, steps, earlier, verifyWith }) };
}

export interface Beginning extends Looking {
  readonly run: Run;
  /** What the run is called. */
  readonly name: string;
  /** As it was typed, for people. */
  readonly command: string;
}

export interface Begun {
  readonly engine: Engine<Found>;
  readonly rows: readonly Found[];
  readonly layout: Layout;
  readonly made: MadeSoFar;
}

/** Milliseconds for which a membership change without an answer is looked for. */
const settle = 60_000;

const headerOf = ({ order: { differences, steps }, snapshot, name, command }: Beginning, rows: number): Header => ({
  journal: "zulipctl org apply",
  version: 1,
  run: name,
  site: snapshot.site,
  account: snapshot.email,
  input: createHash("sha256").update(JSON.stringify({ differences, steps })).digest("hex"),
  words: "",
  rows,
  began: snapshot.taken,
  command,
  plan: { differences, steps, last: lastIds(snapshot) } satisfies Order,
});

export async function begin(beginning: Beginning): Promise<Begun> {
  const { server, run, name } = beginning;
  const { rows, layout, made, steps, keys } = await look(beginning);
  const unanswered = run.earlier?.unanswered() ?? new Set<Key>();
  // Where less is left than was sent, or something else beside it, what is read of that request tells nothing of this one.
  const isLost = (key: Key, change: Change) =>
    unanswered.has(key) && covers(run.earlier?.requests?.of(key) ?? [], change);
  const lost = new Map(
    rows.flatMap(({ row, changes, verdicts = [] }) =>
      changes.flatMap((change, part) =>
        isLost(keyOf(row, part), change) && !verdicts[part] ? [[keyOf(row, part), change] as const] : [],
      ),
    ),
  );
  const engine = await run.begin<Found>(headerOf(beginning, rows.length), [], lost, transport(server, name), {
    // The plan says how many requests there are, and a long list stands in several on purpose.
    merge: false,
    order: steps.flatMap((step) => keys.get(step) ?? []),
    settle,
    // What is as it was planned before has not been applied, and is sent once more.
    retryUnknown: true,
  });
  return { engine, rows: rows.map((row): Found => ({ ...row, raw: "" })), layout, made };
}
