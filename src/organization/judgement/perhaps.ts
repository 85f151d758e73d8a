/**
 * What a request without an answer may have made, where somebody has given that another name since: then nothing has the
 * name that was asked for. It has a greater id than all that was there before the run, and the account itself has made it;
 * where a server does not tell who has, it is as it was asked for but for its name.
 */
import { same } from "../canonical.ts";
import type { Present, Thing } from "../compare/present.ts";
import type { Creation, Values } from "../difference.ts";
import { sections } from "../file.ts";
import { kinds, type LastIds } from "../last-ids.ts";
import { channelsOf, type Snapshot } from "../snapshot.ts";
import { conflict, type Judgement } from "./verdict.ts";

type Made = { readonly creator_id?: number | null };

function recordsOf({ organization, channel_folders }: Snapshot): Record<keyof LastIds, ReadonlyMap<number, Made>> {
  const byId = (all: readonly { readonly id: number }[] | null | undefined) =>
    new Map((all ?? []).map((each) => [each.id, each as Made]));
  return {
    channels: new Map(channelsOf({ organization } as Snapshot).map((each) => [each.stream_id, each])),
    groups: byId(organization.realm_user_groups),
    folders: byId(channel_folders),
    linkifiers: byId(organization.realm_linkifiers),
    profile_fields: byId(organization.custom_profile_fields),
  };
}

interface Lost {
  readonly creation: Creation;
  /** What it is to be made with. */
  readonly to: Values;
  /** The attributes that the request gave it. */
  readonly asked: readonly string[];
  readonly last: LastIds;
  /** The ids of what the plan makes besides. */
  readonly others: ReadonlySet<number>;
  /** What all that it makes of this kind is called. */
  readonly names: ReadonlySet<string>;
}

/** Attributes that are lists of people or groups. */
export const lists: ReadonlySet<string> = new Set(["members", "subgroups", "subscribers"]);

/** A conflict, since it must not be made twice. Undefined where nothing can be it. */
export function perhapsMade(
  snapshot: Snapshot,
  present: Present,
  { creation: { section }, to, asked, last, others, names }: Lost,
): Judgement | undefined {
  const kind = kinds.find((each) => each === section);
  if (!kind) return undefined;
  const { key } = sections[kind];
  const told = asked.filter((field) => !lists.has(field) && !(key as readonly string[]).includes(field));
  const records = recordsOf(snapshot)[kind];
  const ours = ({ id, tell }: Thing): boolean => {
    const { creator_id: creator } = records.get(id!) ?? {};
    if (typeof creator === "number") return creator === snapshot.organization.user_id;
    return told.every((field) => same(tell(field) ?? null, to[field] ?? null));
  };
  const found = present[kind].find((thing) => thing.id! > last[kind] && !others.has(thing.id!) && ours(thing));
  if (!found) return undefined;
  const name = JSON.stringify(found.name);
  const why = "its request got no answer, and that was made since";
  const how = names.has(found.name) ? `id: ${found.id}` : `was: ${found.name}`;
  return conflict(`may be called ${name} by now: ${why}; if it is the same, say "${how}"`);
}
