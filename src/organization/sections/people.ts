import { sendInvitations } from "../../api/invitations.ts";
import { deactivateUser, reactivateUser, updateUser } from "../../api/people.ts";
import { userAddress } from "../../api/users.ts";
import { strip } from "../../common/folding.ts";
import { membersOf } from "../../common/object-members.ts";
import { administers, knownRole, roleNames, roleNumber, roles } from "../../model/person.ts";
import { boolean, choiceShape, integerShape, nonEmptyShape, profileShape } from "../attribute-shapes.ts";
import { suggestion } from "../compare/findings.ts";
import { isEntry, type Path } from "../content.ts";
import type { Difference, FieldChange } from "../difference.ts";
import { idsIn, keyOfId, same } from "../id-values.ts";
import { phases } from "../order/phases.ts";
import { type Person, roleOf } from "../snapshot.ts";
import { profileValue } from "./profile-fields.ts";
import {
  type RequestContext,
  type RequestDraft,
  type RequestPiece,
  thingIsInUse,
  withoutUndefined,
} from "./requests.ts";
import { attributesOf, type ExportContext, ofKind, type ThingsSection, type WritableEntry } from "./section.ts";
import type { Comparing, FinalField, Pair } from "./section-rules.ts";

/** Returns the values of somebody's profile fields as a file writes them. */
function profileOf({ profile_data = {} }: Person, { snapshot, naming }: ExportContext): WritableEntry {
  const all = snapshot.organization.custom_profile_fields.map(({ id, name, type }): [string, unknown] => {
    const value = profileValue(type, profile_data[id]?.value);
    return [name, naming.inFile({ shape: profileShape }, value, id)];
  });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

/** Returns a sort key. People with hidden addresses come last. */
const placeOf = (person: Person): string => {
  const email = userAddress(person);
  return email === undefined ? `1${String(person.user_id).padStart(16, "0")}` : `0${email.toLowerCase()}`;
};

/** Returns one argument for the values of all profile fields. */
function profilePiece({ ids }: RequestContext, fields: readonly FieldChange[]): RequestPiece[] {
  const values = fields.flatMap(({ of, to }) => (of ? [{ id: ids.of("profile_fields", of.field), value: to }] : []));
  if (!values.length) return [];
  const needs = values.flatMap(({ value }) => idsIn(value)).map((id) => thingIsInUse("user", id));
  return [{ fields: ["profile"], args: { profile_data: values }, needs }];
}

/** Returns the parts that people and bots share. */
export const accountsOf = (kind: "user" | "bot") =>
  ({
    ...ofKind<Person>(kind),
    archivedIn: ({ organization }) => {
      const ids = new Set(organization.realm_non_active_users.map(({ user_id }) => user_id));
      return ({ user_id }) => ids.has(user_id);
    },
  }) satisfies Partial<ThingsSection<Person>>;

const accounts = accountsOf("user");

/** Returns the value with ids of a profile field. Undefined after a problem. */
function valueIn(c: Comparing, { name, type, options }: FinalField, value: unknown, path: Path, from: unknown) {
  const report = (says: string) => c.findings.problem(path, `"${name}" ${says}`);
  if (value === null || value === "") return null;
  if (type === "people") {
    if (!Array.isArray(value)) return report("holds people: must be a list");
    const ids = c.values.people({ value, path, from, showsDeactivated: true });
    return ids.length ? ids : null;
  }
  if (typeof value !== "string") return report("does not hold people: must be text");
  if (type !== "options") return value;
  const option = options.find(({ text }) => text === value);
  const texts = options.map(({ text }) => text);
  return option?.key ?? report(`has no option "${value}"${suggestion(value, texts)}`);
}

/** Returns the changes of a person. Undefined after a problem. */
function personChanges(c: Comparing, { thing, entry, path }: Pair): FieldChange[] | undefined {
  const profile = c.everybody.get(thing?.id ?? 0)?.profile_data ?? {};
  const changes: FieldChange[] = [];
  for (const [text, value] of Object.entries(isEntry(entry.profile) ? entry.profile : {})) {
    const at = [...path, "profile", text];
    const field = c.references.profileField(text, at);
    const final = field === undefined ? undefined : c.fields.get(keyOfId(field));
    if (field === undefined || !final) continue;
    if (changes.some(({ of }) => same(of?.field, field))) {
      c.findings.problem(at, `"${final.name}" appears twice`);
      continue;
    }
    const from = typeof field === "number" ? profileValue(final.type, profile[field]?.value) : null;
    const to = valueIn(c, final, value, at, from);
    if (to !== undefined && !same(from, to))
      changes.push({ field: "profile", of: { field, name: final.name }, from, to });
  }
  return changes;
}

/** Returns the invitation of a new person. All lists that name them must be compared before. */
function invitation(c: Comparing, { entry, path, name, key, archives }: Pair): Difference[] {
  const { findings, references, everybody } = c;
  if (typeof entry.id === "number" || archives) return [];
  if (entry.invite !== true) {
    const isBot = [...everybody.values()].some(({ is_bot, email }) => is_bot && email.toLowerCase() === key);
    const all = c.pairings.people.things.map((person) => person.name);
    const hint = suggestion(name, all) || `${references.hiddenAddresses}; add "invite: true" to invite them`;
    const missing = `no person with the e-mail address ${name}${hint}`;
    findings.problem([...path, "email"], isBot ? `${name} is a bot: list it in "bots"` : missing);
    return [];
  }
  if (entry.profile !== undefined || entry.full_name !== undefined)
    findings.noticeAbout(
      name,
      [
        "joins first: their profile and name can be set then",
        "people join first: their profiles and names can be set then",
      ],
      path,
    );
  if (c.snapshot.invites.some(({ email }) => email?.toLowerCase() === key)) {
    findings.noticeAbout(name, ["has a pending invitation", "people have a pending invitation"], path);
    return [];
  }
  const again = "plan again after they join";
  findings.noticeAbout(name, [`is invited: ${again}`, `people are invited, ${again}`], path);
  const to = { email: name, ...(entry.role !== undefined && { role: entry.role }), ...references.invited.get(key) };
  return [{ section: "people", name, action: "invite", to }];
}

export const peopleSection: ThingsSection<Person> = {
  ...accounts,
  doc: "People. Those who are not listed stay unchanged.",
  unlistedStay: true,
  identified: ["email", "id"],
  members: {
    email: { shape: nonEmptyShape, doc: "The address." },
    id: { shape: integerShape(1), doc: "The id, where the address is hidden; the file must name its organization." },
    ...attributesOf(updateUser, {
      // A new address requires a permission that only the server's command line can give.
      omit: ["user_id", "new_email"],
      names: { profile_data: "profile" },
      more: {
        full_name: { stored: strip },
        role: { shape: choiceShape(...roleNames) },
        profile: {
          shape: profileShape,
          doc: "Values of custom profile fields by the fields' names; null for none.",
        },
      },
    }),
    active: { shape: boolean, doc: "false deactivates the person, true reactivates them." },
    invite: { shape: boolean, doc: "Whether to invite somebody who has no account." },
  },
  attributes: () => ({ email: userAddress, role: (person) => knownRole(roleOf(person)) }),
  write: (field, value, ids, { record, of }) => {
    if (field === "active") return {};
    if (field === "role") {
      const role = roleNumber(value) ?? roles.member;
      return {
        role,
        is_owner: role === roles.owner,
        is_admin: administers(role),
        is_guest: role === roles.guest,
      };
    }
    if (!of) return undefined;
    const profile_data = { ...membersOf(record.profile_data) };
    const id = ids.of("profile_fields", of.field);
    if (value === null) delete profile_data[id];
    else profile_data[id] = { value: Array.isArray(value) ? JSON.stringify(value) : value };
    return { profile_data };
  },
  entries: (context) => {
    const { snapshot } = context;
    const isArchived = accounts.archivedIn(snapshot);
    const places = new Map(accounts.records(snapshot).map((person) => [person, placeOf(person)]));
    return [...places]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([person]) => {
        const email = userAddress(person);
        const values = profileOf(person, context);
        return {
          ...(email === undefined ? { id: person.user_id } : { email }),
          full_name: person.full_name,
          role: knownRole(roleOf(person)),
          ...(isArchived(person) ? { active: false } : Object.keys(values).length && { profile: values }),
        };
      });
  },
  rules: { fields: ["email", "active", "invite", "profile"], compare: personChanges, absent: invitation },
  requests: {
    create: ({ ids }, { to }) => {
      const groups = ids.all("groups", to.groups);
      const args = {
        invitee_emails: to.email,
        stream_ids: ids.all("channels", to.channels),
        invite_as: roleNumber(to.role),
        ...(groups.length && { group_ids: groups }),
      };
      return [
        { phase: phases.invitations, operation: sendInvitations, args: withoutUndefined(args), result: "invited" },
      ];
    },
    update: (context, { action, id, fields }) => {
      const self = id === context.me;
      const args = { user_id: id };
      const one = { args, result: `${action}d` };
      const pieces = fields.flatMap(({ field, of, to }): RequestPiece[] =>
        of ? [] : [{ fields: [field], args: { [field]: field === "role" ? roleNumber(to) : to } }],
      );
      pieces.push(...profilePiece(context, fields));
      const drafts: RequestDraft[] = [];
      if (action === "reactivate")
        drafts.push({
          ...one,
          phase: phases.reactivate,
          operation: reactivateUser,
          provides: [thingIsInUse("user", id)],
        });
      const isDemotion = fields.some(({ field, from }) => field === "role" && from === "owner");
      if (pieces.length)
        drafts.push({
          phase: self ? phases.self : isDemotion ? phases.ownerDemotions : phases.people,
          operation: updateUser,
          args,
          pieces,
          ...(action === "reactivate" && { needs: [thingIsInUse("user", id)] }),
        });
      if (action === "deactivate")
        drafts.push({ ...one, phase: self ? phases.self : phases.deactivate, operation: deactivateUser });
      return drafts;
    },
  },
};
