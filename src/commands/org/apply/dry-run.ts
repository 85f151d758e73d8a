/** What a run would send. Ids that no answer has told yet stand by what they will be of. */

import type { Server } from "../../../client/server.ts";
import { firstOf } from "../../../counted.ts";
import type { JournalReplay } from "../../../engine/journal-replay.ts";
import { withIds } from "../../../engine/provisional-ids.ts";
import { type Key, keyOf } from "../../../engine/task.ts";
import { Conflict, type Failure, Partial } from "../../../errors.ts";
import type { Step } from "../../../organization/order.ts";
import type { ShownRequest } from "../../../output/report.ts";
import { type Requests, requests } from "../../../run/conclusion.ts";
import { type Context, showRequest } from "../../../run/context.ts";
import type { Left } from "./begin.ts";

/** As a path or a form has it. */
const encoded = (text: string): string[] => [
  encodeURIComponent(text),
  new URLSearchParams([["", text]]).toString().slice(1),
];

/** The requests that would go out, in their order, and what those come to that would not. */
function sending({ steps, rows, keys }: Left, earlier: JournalReplay | undefined) {
  const lacking = new Map<Key, Failure>();
  const over = new Set<Key>();
  for (const { row, changes, verdicts = [] } of rows)
    for (const part of changes.keys()) {
      const key = keyOf(row, part);
      const known = earlier?.known(key);
      const told = known && known.outcome !== "unknown" ? known : verdicts[part];
      if (told) over.add(key);
      if (told && "failure" in told) lacking.set(key, told.failure);
    }
  const changeAt = new Map(rows.flatMap(({ row, changes }) => changes.map((each, part) => [keyOf(row, part), each])));
  const sent = steps.filter((step) => {
    const key = keys.get(step)!;
    if (over.has(key)) return false;
    const why = changeAt.get(key)!.after?.flatMap((needed) => lacking.get(needed) ?? [])[0];
    if (why) lacking.set(key, why);
    return !why;
  });
  return { sent, lacking: [...lacking.values()] };
}

/** What is left of a plan that was made before: others may have changed something since, and some of it is done. */
export async function shownLeft(context: Context, left: Left, earlier: JournalReplay | undefined): Promise<Requests> {
  const { sent, lacking } = sending(left, earlier);
  if (!sent.length && !lacking.length) await context.note("zulipctl: no changes");
  const shown = await shownSteps(await context.server(), sent);
  const [first] = lacking;
  if (!first) return shown;
  const all = [...new Set(lacking.map(({ message }) => message))];
  const failure = lacking.every(({ kind }) => kind === "conflict")
    ? new Conflict(firstOf(all, 10), { outcome: "not_sent", hint: first.details.hint })
    : new Partial(`some of it would not be done: ${firstOf(all, 10)}`, { outcome: "not_sent" });
  return { ...shown, failure };
}

export async function shownSteps(server: Server, steps: readonly Step[]): Promise<Requests> {
  const ids = new Map<number, string>();
  const shown: ShownRequest[] = [];
  for (const { change } of steps) {
    const request = await showRequest(server, { ...change, ...withIds(change, ids) });
    const plain = (text: string) =>
      [...ids.values()].reduce((all, id) => encoded(id).reduce((some, each) => some.replaceAll(each, id), all), text);
    shown.push({
      ...request,
      url: plain(request.url),
      ...(request.body !== undefined && { body: plain(request.body) }),
    });
    if (change.makes !== undefined) ids.set(change.makes, `<id of ${change.target}>`);
  }
  return requests(shown);
}
