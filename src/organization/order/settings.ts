/**
 * The organization's settings, and those of new people. The first are no transaction: booleans can be refused for the
 * caller's role alone and go together, everything else by itself.
 */
import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import { updateDefaults } from "../../api/user-settings.ts";
import type { FieldChange, Update } from "../difference.ts";
import { type OrderContext, valuesOf, whole } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";
import { expectable } from "./expecting.ts";
import { noMore } from "./left.ts";

const settingOf = (name: string): Setting => organizationSettings[name as OrganizationSetting];

function partOf({ field }: FieldChange): string {
  const { kind, owner } = settingOf(field);
  if (kind !== "boolean" || apart.has(field)) return field;
  return owner ? "for owners" : "for administrators";
}

/** Ways in are named by what else changes; they are judged apart. */
const apart = new Set(["emails_restricted_to_domains", "enable_spectator_access"]);

/** What a setting forbids or allows to others. */
const factsOfSetting: Readonly<Record<string, (change: FieldChange) => Facts>> = {
  emails_restricted_to_domains: ({ to }) =>
    to
      ? { needs: ["domains are added"] }
      : { provides: ["domains restrict nobody", "invitations may go to these addresses"] },
  enable_spectator_access: ({ to }) =>
    to ? { provides: ["channels may be web-public"] } : { follows: ["channels were made web-public"] },
  moderation_request_channel_id: ({ from, to }) => ({
    provides: typeof from === "number" ? [`channel ${from} takes no requests for moderation`] : [],
    needs: typeof to === "number" ? [`channel ${to} is private`] : [],
  }),
  require_unique_names: ({ to }) =>
    to ? { follows: ["people have their names"] } : { provides: ["names may be the same"] },
  default_code_block_language: () => ({ follows: ["playgrounds are gone", "the language is put back"] }),
};

/** A request in which none is on is refused, though those that it leaves out stay as they are. */
function methodsNow({ organization }: OrderContext["snapshot"]): Record<string, unknown> {
  const { realm_authentication_methods: all = {} } = organization as { realm_authentication_methods?: object };
  return Object.fromEntries(
    Object.entries(all).map(([name, told]) => [name, (told as { enabled?: unknown }).enabled ?? told]),
  );
}

function argumentOf({ ids, snapshot }: OrderContext, { field, to }: FieldChange): unknown {
  const { kind } = settingOf(field);
  if (field === "authentication_methods") return { ...methodsNow(snapshot), ...(to as object) };
  if (kind === "channel") return to === null ? -1 : ids.known("channels", to as number);
  if (kind !== "group") return to;
  const old = (snapshot.organization as Record<string, unknown>)[`realm_${field}`];
  return { new: ids.who(to), ...(expectable(old) && { old }) };
}

export function settingDrafts(context: OrderContext, of: number, { fields }: Update): Draft[] {
  const parts = new Map<string, FieldChange[]>();
  for (const change of fields) parts.set(partOf(change), [...(parts.get(partOf(change)) ?? []), change]);
  return [...parts].map(([part, changes]) => {
    const facts = changes.map((change) => factsOfSetting[change.field]?.(change) ?? {});
    const all = (kind: keyof Facts) => facts.flatMap((each) => each[kind] ?? []);
    return whole({
      of,
      part,
      operation: updateOrganization,
      args: Object.fromEntries(changes.map((change) => [change.field, argumentOf(context, change)])),
      fields: changes.map(({ field }) => field),
      needs: all("needs"),
      follows: all("follows"),
      provides: [
        ...all("provides"),
        ...changes.flatMap(({ field, from, to }) => {
          const { kind } = settingOf(field);
          return kind === "group" || kind === "channel" ? noMore(kind, from, to) : [];
        }),
      ],
    });
  });
}

export const newUserDrafts = (of: number, { fields }: Update): Draft[] => [
  whole({
    of,
    part: "defaults",
    operation: updateDefaults,
    args: { ...valuesOf(fields) },
    fields: fields.map(({ field }) => field),
  }),
];
