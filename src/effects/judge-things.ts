/** Judges what is archived, deactivated or removed. */
import { levelOf } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { numbersIn } from "../common/object-members.ts";
import { type KindName, kindNamed, kinds } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { everyList } from "../model/kinds/lists.ts";
import { fewRemovals } from "../model/removal-limit.ts";
import { cannotRestore } from "../model/risk.ts";
import type { Judging } from "./judging.ts";

interface Hanging {
  /** Follows the text. */
  readonly text?: string;
  /** Follows the sentence of a question. */
  readonly sentence?: string;
  readonly people?: number;
}

/** Returns what hangs on a thing: members of its first list, channels, values of a field. It is only told. */
async function hangingOn({ present }: Judging, name: KindName, id: number): Promise<Hanging> {
  const { id: idMember = "id", removalEffect, namedByChannels } = kindNamed(name);
  const list = everyList.find(({ kind, isFirst, of }) => kind === name && isFirst && of === "user");
  if (name === "profile_field") {
    const people = await present.holdersOf(id);
    const have = counted(people, "person has one", "people have one");
    return people ? { text: `: ${have}`, sentence: ` ${have}.`, people } : {};
  }
  if (list) {
    const record = (await present.records(name)).find((each) => each[idMember] === id);
    const { count = "", member, one, plural } = list;
    const people = Number(record?.[count] ?? numbersIn(record?.[member]).length);
    if (!people) return {};
    const all = counted(people, one, plural);
    if (!removalEffect?.isFromMembers) return { text: `, with ${all}`, sentence: ` It has ${all}.`, people };
    return { text: `: ${counted(people, kinds.user.one, kinds.user.plural)}`, sentence: ` It has ${all}.`, people };
  }
  if (!namedByChannels) return {};
  const channels = (await present.records("channel")).filter((each) => each[namedByChannels] === id);
  return channels.length ? { text: `, with ${counted(channels.length, "channel")}` } : {};
}

/** Returns what the server cannot bring back, in words that follow the effect. Empty if it can. */
async function notRestored({ depth, present }: Judging, { state, restore }: Kind): Promise<string> {
  const since = restore ? levelOf(restore) : 0;
  const isLost = state && since > 0 && depth.shows && (await present.level()) < since;
  return isLost ? `: ${cannotRestore(state.restore, since)}` : "";
}

export async function judgeThings(judging: Judging): Promise<void> {
  const all = judging.of("remove");
  if (!all.length) return;
  for (const [name, some] of groupBy(all, ({ impact }) => impact.kind)) {
    const kind = kindNamed(name);
    const { one, plural, state, remove, removalEffect } = kind;
    const { says = "removes it", silent = false } = removalEffect ?? {};
    // A question about many does not say it of each.
    const isTold = judging.depth.shows || (judging.asks && all.length === 1 && !silent);
    const suffix = await notRestored(judging, kind);
    const isIrreversible = !silent && remove?.lost !== undefined;
    // What is removed can be made again: undo does.
    const { sentence = isIrreversible ? "This cannot be undone." : "" } = removalEffect ?? {};
    for (const { n, impact } of some) {
      const { id } = impact;
      const unread = { what: `what hangs on the ${one}`, changes: [n] };
      const found =
        isTold && typeof id === "number"
          ? await judging.read(
              async () => ({
                hanging: await hangingOn(judging, name, id),
                references: await judging.present.referencesTo(name, id),
              }),
              unread,
            )
          : undefined;
      const { hanging = {}, references = [] } = found ?? {};
      judging.add(n, {
        kind: "removed",
        text: `${says}${hanging.text ?? ""}${suffix}`,
        sentence: `${sentence}${hanging.sentence ?? ""}`.trim(),
        ...(hanging.people !== undefined && { people: hanging.people }),
        ...((isIrreversible || suffix) && { irreversible: true }),
        asks: !silent,
      });
      for (const text of references) judging.add(n, { kind: "removed", text, asks: true });
    }
    const changes = [...new Set(some.map(({ n }) => n))];
    const asked = new Set(some.map(({ impact }) => impact.id)).size;
    if (asked <= fewRemovals) continue;
    const total = await judging.read(() => judging.present.count(name), {
      what: `how many ${plural} there are`,
      allowedBy: "--max-removals",
      changes,
    });
    if (total === undefined) continue;
    // Some of them may not be there.
    const count = Math.min(asked, total);
    const verb = state?.archive ?? remove?.verb ?? "delete";
    judging.lose({ count, total, changes, says: `${verb} ${count} of ${counted(total, one, plural)}` });
  }
}
