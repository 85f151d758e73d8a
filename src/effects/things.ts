/** Judges what is archived, deactivated or removed. */
import { levelOf } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { numbersIn } from "../common/members.ts";
import { fewRemovals } from "../common/removal-limit.ts";
import { Failure } from "../errors.ts";
import { type KindName, kindNamed, kinds } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { everyList } from "../model/kinds/lists.ts";
import { cannotRestore } from "../model/risk.ts";
import type { Judging } from "./judging.ts";

interface Hanging {
  /** Follows the text. */
  readonly text?: string;
  readonly people?: number;
}

/** Returns what hangs on a thing: members of its first list, channels. It is only shown. */
async function hangingOn({ depth, present }: Judging, name: KindName, id: number | string): Promise<Hanging> {
  const { id: idMember = "id", takes, namedByChannels } = kindNamed(name);
  const list = everyList.find(({ kind, isFirst, of }) => kind === name && isFirst && of === "user");
  if (depth !== "all" || typeof id !== "number" || !(list || namedByChannels)) return {};
  try {
    if (list) {
      const record = (await present.records(name)).find((each) => each[idMember] === id);
      const { count = "", member, one, plural } = list;
      const people = Number(record?.[count] ?? numbersIn(record?.[member]).length);
      if (!people) return {};
      const text = takes?.isFromMembers
        ? `: ${counted(people, kinds.user.one, kinds.user.plural)}`
        : `, with ${counted(people, one, plural)}`;
      return { text, people };
    }
    const channels = (await present.records("channel")).filter((each) => each[namedByChannels ?? ""] === id);
    return channels.length ? { text: `, with ${counted(channels.length, "channel")}` } : {};
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

/** Returns what the server cannot bring back, in words that follow the effect. Empty if it can. */
async function notRestored({ depth, present }: Judging, { state, restore }: Kind): Promise<string> {
  const since = restore ? levelOf(restore) : 0;
  const isLost = state && since > 0 && depth === "all" && (await present.level()) < since;
  return isLost ? `: ${cannotRestore(state.restore, since)}` : "";
}

export async function judgeThings(judging: Judging): Promise<void> {
  const all = judging.of("remove");
  if (!all.length) return;
  for (const [name, some] of groupBy(all, ({ impact }) => impact.kind)) {
    const kind = kindNamed(name);
    const { one, plural, state, remove, takes: { says, silent = false } = { says: "removes it" } } = kind;
    const suffix = await notRestored(judging, kind);
    const isIrreversible = !silent && remove?.lost !== undefined;
    for (const { n, impact } of some) {
      const lost = await judging.present.lostWith?.(name, impact.id);
      const hanging = lost === undefined ? await hangingOn(judging, name, impact.id) : {};
      judging.add(n, {
        kind: "removed",
        text: lost === undefined ? `${says}${hanging.text ?? ""}${suffix}` : `removes it${lost}`,
        ...(hanging.people !== undefined && { people: hanging.people }),
        ...((isIrreversible || suffix || lost !== undefined) && { irreversible: true }),
        asks: !silent,
      });
      for (const reference of (await judging.present.referencesTo?.(name, impact.id)) ?? [])
        judging.add(n, { kind: "removed", text: reference, asks: true });
    }
    const changes = [...new Set(some.map(({ n }) => n))];
    const count = new Set(some.map(({ impact }) => impact.id)).size;
    if (count <= fewRemovals) continue;
    const total = await judging.read(() => judging.present.count(name), {
      what: `how many ${plural} there are`,
      allowedBy: "--max-removals",
      changes,
    });
    if (total === undefined) continue;
    const verb = state?.archive ?? remove?.verb ?? "delete";
    judging.losses.push({ count, total, changes, says: `${verb} ${count} of ${counted(total, one, plural)}` });
  }
}
