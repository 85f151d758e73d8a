/**
 * The organization's settings, and those of new people. The first are no transaction: booleans can be refused for the
 * caller's role alone and go together, everything else by itself.
 */
import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import { updateDefaults } from "../../api/user-settings.ts";
import { groupBy } from "../../group-by.ts";
import type { FieldChange, Update } from "../difference.ts";
import type { Snapshot } from "../snapshot.ts";
import { type OrderContext, permissionArgument, releasedGroups, valuesOf } from "./context.ts";
import { type Draft, type Facts, phases } from "./draft.ts";

const settingOf = (name: string): Setting => organizationSettings[name as OrganizationSetting];

/** By setting, the value that lets other changes of a plan pass; with any other it forbids some. */
const opening = new Map<string, unknown>([
  ["emails_restricted_to_domains", false],
  ["enable_spectator_access", true],
  ["require_unique_names", false],
]);

function partOf({ field }: FieldChange): string {
  const { kind, owner } = settingOf(field);
  if (kind !== "boolean" || opening.has(field)) return field;
  return owner ? "for owners" : "for administrators";
}

function phaseOf({ rights }: OrderContext, { field, to }: FieldChange): number {
  if (opening.has(field)) return opening.get(field) === to ? phases.gives : phases.settings;
  // Removing a playground of its language resets it.
  if (field === "default_code_block_language") return phases.orders;
  const { kind } = settingOf(field);
  if (kind === "group") return rights.organization(field) ?? phases.settings;
  return kind === "channel" ? phases.settings : phases.gives + 0.5;
}

function factsOf({ field, from, to }: FieldChange): Facts {
  if (field === "emails_restricted_to_domains")
    return to ? { needs: ["domains are added"] } : { provides: ["domains restrict nobody"] };
  if (field === "moderation_request_channel_id")
    return {
      provides: [`channel ${from} takes no requests for moderation`],
      needs: [`channel ${to} is private`],
    };
  return settingOf(field).kind === "group" ? { provides: releasedGroups(from, to) } : {};
}

/** A request in which none is on is refused, though those that it leaves out stay as they are. */
function methodsNow({ organization }: Snapshot): Record<string, unknown> {
  const all = Object(organization.realm_authentication_methods);
  return Object.fromEntries(Object.entries(all).map(([name, method]) => [name, Object(method).enabled ?? method]));
}

function argumentOf(context: OrderContext, { field, to }: FieldChange): unknown {
  const organization: Readonly<Record<string, unknown>> = { ...context.snapshot.organization };
  const { kind } = settingOf(field);
  if (field === "authentication_methods") return { ...methodsNow(context.snapshot), ...Object(to) };
  if (kind === "channel") return to === null ? -1 : context.ids.known("channels", to);
  return kind === "group" ? permissionArgument(context, to, organization[`realm_${field}`]) : to;
}

export const settingDrafts = (context: OrderContext, of: number, { fields }: Update): Draft[] =>
  [...groupBy(fields, partOf)].map(([part, changes]) => {
    const facts = changes.map(factsOf);
    return {
      of,
      part,
      phase: Math.min(...changes.map((change) => phaseOf(context, change))),
      operation: updateOrganization,
      args: Object.fromEntries(changes.map((change) => [change.field, argumentOf(context, change)])),
      fields: changes.map(({ field }) => field),
      needs: facts.flatMap(({ needs = [] }) => needs),
      provides: facts.flatMap(({ provides = [] }) => provides),
    };
  });

export const newUserDrafts = (of: number, { fields }: Update): Draft[] => [
  {
    of,
    part: "defaults",
    phase: phases.settings,
    operation: updateDefaults,
    args: { ...valuesOf(fields) },
    fields: fields.map(({ field }) => field),
  },
];
