/** Judges what is archived, deactivated or removed. */
import { levelOf } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { membersOf, valueNamed } from "../common/members.ts";
import { fewRemovals } from "../common/removal-limit.ts";
import { Failure } from "../errors.ts";
import { kinds } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { archivedChannel, deactivatedBot } from "../model/loss.ts";
import { cannotRestore } from "../model/risk.ts";
import type { RemovableKind } from "../wire/impact.ts";
import type { Judging } from "./judging.ts";

interface Removal {
  readonly verb: string;
  readonly plural?: string;
  /** Follows "it". */
  readonly text: string;
  readonly irreversible?: true;
  /** It needs no confirmation. */
  readonly silent?: true;
  /** The kind whose statement says how it comes back, where older servers cannot do that. */
  readonly restore?: "channel" | "group";
}

/** What the removal of a thing of each kind takes. */
export const removals: Readonly<Record<RemovableKind, Removal>> = {
  attachment: { verb: "delete", text: "deletes the file", irreversible: true },
  bot: { verb: "deactivate", text: deactivatedBot.effect.says },
  channel: { verb: "archive", text: archivedChannel.effect.says, restore: "channel" },
  domain: {
    verb: "remove",
    text: "keeps people with its addresses out; without any domain, addresses of all domains may join",
  },
  draft: { verb: "delete", text: "deletes it" },
  emoji: { verb: "deactivate", plural: "emoji", text: "removes it", irreversible: true },
  export: { verb: "delete", text: "deletes the file", irreversible: true },
  folder: { verb: "archive", text: "archives it", silent: true },
  group: { verb: "deactivate", text: "deactivates it", restore: "group" },
  invitation: { verb: "revoke", text: "revokes it", silent: true },
  linkifier: { verb: "delete", text: "removes it" },
  playground: { verb: "delete", text: "removes it" },
  "profile field": { verb: "delete", text: "deletes everybody's values of it", irreversible: true },
  "scheduled message": { verb: "remove", text: "keeps it from being sent", silent: true },
};

interface Hanging {
  /** Follows the text. */
  readonly text?: string;
  readonly people?: number;
}

/** Returns what hangs on a thing: subscribers, members, channels. It is only shown. */
async function hangingOn({ depth, present }: Judging, kind: RemovableKind, id: number | string): Promise<Hanging> {
  if (depth !== "all" || typeof id !== "number") return {};
  try {
    if (kind === "channel") {
      const people = (await present.channels()).get(id)?.subscriber_count;
      return people ? { text: `: ${counted(people, "person", "people")}`, people } : {};
    }
    if (kind === "group") {
      const people = (await present.groups()).get(id)?.members.length;
      return people ? { text: `, with ${counted(people, "member")}`, people } : {};
    }
    const member = valueNamed<Kind>(kinds, kind)?.namedByChannels;
    if (member === undefined) return {};
    const channels = [...(await present.channels()).values()].filter((each) => membersOf(each)[member] === id);
    return channels.length ? { text: `, with ${counted(channels.length, "channel")}` } : {};
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

export async function judgeThings(judging: Judging): Promise<void> {
  const all = judging.of("remove");
  if (!all.length) return;
  for (const [kind, some] of groupBy(all, ({ impact }) => impact.kind)) {
    const { verb, plural, text, irreversible, silent, restore: restored } = removals[kind];
    const restore = restored && { verb: kinds[restored].state.restore, since: levelOf(kinds[restored].restore) };
    const level = restore && judging.depth === "all" ? await judging.present.level() : undefined;
    const isLost = restore !== undefined && level !== undefined && level < restore.since;
    const suffix = restore && isLost ? `: ${cannotRestore(restore.verb, restore.since)}` : "";
    for (const { n, impact } of some) {
      const lost = await judging.present.lostWith?.(kind, impact.id);
      const hanging = lost === undefined ? await hangingOn(judging, kind, impact.id) : {};
      judging.add(n, {
        kind: "removed",
        text: lost === undefined ? `${text}${hanging.text ?? ""}${suffix}` : `removes it${lost}`,
        ...(hanging.people !== undefined && { people: hanging.people }),
        ...((irreversible || isLost || lost !== undefined) && { irreversible: true }),
        asks: !silent,
      });
      for (const reference of (await judging.present.referencesTo?.(kind, impact.id)) ?? [])
        judging.add(n, { kind: "removed", text: reference, asks: true });
    }
    const changes = [...new Set(some.map(({ n }) => n))];
    const count = new Set(some.map(({ impact }) => impact.id)).size;
    if (count <= fewRemovals) continue;
    const total = await judging.read(() => judging.present.count(kind), {
      what: `how many ${plural ?? `${kind}s`} there are`,
      allowedBy: "--max-removals",
      changes,
    });
    if (total === undefined) continue;
    judging.losses.push({ count, total, changes, says: `${verb} ${count} of ${counted(total, kind, plural)}` });
  }
}
