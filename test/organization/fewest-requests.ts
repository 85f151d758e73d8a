/**
 * Counts the fewest requests for differences, without the code of the program. A new thing takes one request. A changed
 * thing takes one for each transaction or reason for refusal. A cycle of new groups takes one more.
 */
import { type OrganizationSetting, organizationSettings } from "../../src/model/organization.ts";
import type {
  Creation,
  Difference,
  FieldChange,
  ThingId,
  Update,
  WhoValue,
} from "../../src/organization/difference.ts";

const count = (words: readonly string[]): number => new Set(words).size;

/** Booleans share a request, except these: other changes depend on them. */
const alone = new Set(["emails_restricted_to_domains", "enable_spectator_access", "require_unique_names"]);

function ofSetting({ field }: FieldChange): string {
  const { kind, owner } = organizationSettings[field as OrganizationSetting] as { kind: string; owner?: boolean };
  return kind === "boolean" && !alone.has(field) ? `booleans ${owner ?? false}` : field;
}

const access = new Set([
  "is_private",
  "is_web_public",
  "history_public_to_subscribers",
  "is_default_stream",
  "folder",
  "default_push_notifications",
]);

const ids = (value: unknown): unknown[] => ((value ?? []) as unknown[]).map((each) => JSON.stringify(each));
const addedIds = ({ from, to }: FieldChange) => ids(to).filter((id) => !ids(from).includes(id));
const removedIds = ({ from, to }: FieldChange) => ids(from).filter((id) => !ids(to).includes(id));

function ofChannel({ fields, action }: Update): number {
  const lists = fields.filter(({ field }) => field === "subscribers");
  const others = fields.filter(({ field }) => field !== "subscribers");
  return (
    count(others.map(({ field }) => (access.has(field) ? "access" : field))) +
    lists.filter((change) => addedIds(change).length).length +
    lists.filter((change) => removedIds(change).length).length +
    (action === "update" ? 0 : 1)
  );
}

function ofGroup({ fields, action }: Update, reactivated: ReadonlySet<string>, me: string): number {
  const isList = ({ field }: FieldChange) => field === "members" || field === "subgroups";
  const back = (change: FieldChange) =>
    change.field === "members" ? addedIds(change).filter((id) => reactivated.has(id as string)) : [];
  const lists = fields.filter(isList);
  const isMe = ({ field }: FieldChange, id: unknown) => field === "members" && id === me;
  const hasListChange = lists.some(
    (change) =>
      (change.field === "members" && removedIds(change).some((id) => !isMe(change, id))) ||
      addedIds(change).length > back(change).length,
  );
  const released = lists.some((change) => change.field === "subgroups" && removedIds(change).length);
  return (
    (action === "reactivate" || fields.some((change) => !isList(change)) ? 1 : 0) +
    (hasListChange ? 1 : 0) +
    // Subgroups are removed before any are added: a group must never contain itself.
    (released ? 1 : 0) +
    // A reactivated person may already be a member again, and would make the request of others fail.
    lists.flatMap(back).length +
    // The caller may lose the right to change the group, so leaves it last.
    (lists.some((change) => removedIds(change).some((id) => isMe(change, id))) ? 1 : 0) +
    (action === "deactivate" ? 1 : 0)
  );
}

/** Servers check these when they create a channel, and then drop them. */
const notKept = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"];

function base(one: Difference, reactivated: ReadonlySet<string>, me: string): number {
  if (one.action === "create")
    return 1 + (one.section === "channels" ? notKept.filter((field) => field in one.to).length : 0);
  if (!("fields" in one)) return 1;
  const { section, fields, action } = one;
  switch (section) {
    case "settings":
      return count(fields.map(ofSetting));
    case "channels":
      return ofChannel(one);
    case "groups":
      return ofGroup(one, reactivated, me);
    case "people":
      return (fields.length ? 1 : 0) + (action === "update" ? 0 : 1);
    case "folders":
      return fields.length + (action === "update" ? 0 : 1);
    case "playgrounds":
      return 2;
    default:
      return 1;
  }
}

const named = (known: ThingId): string => JSON.stringify(known);

/** Returns what must exist before a group is created or reactivated: its initial subgroups, and the groups in its permissions. */
interface Naming {
  readonly within: ReadonlySet<string>;
  readonly besides: ReadonlySet<string>;
}

/** Counts for new and reactivated groups. */
function namings(differences: readonly Difference[]): Map<string, Naming> {
  const groups = differences.filter(
    (one): one is Creation | Update => one.section === "groups" && ["create", "reactivate"].includes(one.action),
  );
  const key = (one: Creation | Update) => named("fields" in one ? one.id! : { new: one.name });
  const all = new Set(groups.map(key));
  const among = (known: readonly ThingId[]) => new Set(known.map(named).filter((each) => all.has(each)));
  return new Map(
    groups.map((one) => {
      const values = "fields" in one ? one.fields.map(({ field, to }) => [field, to] as const) : Object.entries(one.to);
      return [
        key(one),
        {
          within: among("fields" in one ? [] : ((one.to.subgroups ?? []) as ThingId[])),
          besides: among(values.flatMap(([field, to]) => (/_group$/.test(field) ? (to as WhoValue).groups : []))),
        },
      ];
    }),
  );
}

/** Whether there is an order if these groups get their permissions later. */
function isOpen(all: ReadonlyMap<string, Naming>, later: ReadonlySet<string>): boolean {
  const done = new Set<string>();
  for (let moved = true; moved; ) {
    moved = false;
    for (const [one, { within, besides }] of all) {
      const needs = later.has(one) ? within : new Set([...within, ...besides]);
      if (done.has(one) || ![...needs].every((each) => done.has(each))) continue;
      done.add(one);
      moved = true;
    }
  }
  return done.size === all.size;
}

function circles(all: ReadonlyMap<string, Naming>): number {
  const keys = [...all.keys()];
  const sets = Array.from({ length: 2 ** keys.length }, (_, bits) => keys.filter((_, n) => bits & (2 ** n)));
  return Math.min(...sets.filter((some) => isOpen(all, new Set(some))).map(({ length }) => length));
}

export function fewestRequests(differences: readonly Difference[], me: number): number {
  const returning = new Set(
    differences.flatMap((one) =>
      one.section === "people" && one.action === "reactivate" ? [JSON.stringify(one.id)] : [],
    ),
  );
  return differences.reduce((sum, one) => sum + base(one, returning, String(me)), 0) + circles(namings(differences));
}
