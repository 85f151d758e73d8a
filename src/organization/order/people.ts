/** People: who is changed, deactivated, reactivated and invited. */
import { sendInvitations } from "../../api/invitations.ts";
import { deactivateUser, reactivateUser, updateUser } from "../../api/people.ts";
import { roles } from "../../api/users.ts";
import type { Creation, FieldChange, Update } from "../difference.ts";
import { roleOf } from "../snapshot.ts";
import { given, type OrderContext } from "./context.ts";
import { type Draft, type Piece, phases } from "./draft.ts";
import { renamed, setAside } from "./names.ts";

const ownerMade = "owners are made";

const roleNumber = (role: unknown): number => roles[role as keyof typeof roles];

function pieceOf(context: OrderContext, n: number, user: number, change: FieldChange): Piece {
  const { field, from, to } = change;
  if (field === "full_name") {
    const facts = context.uniqueNames ? renamed(context, n, { section: "people", id: user }, change) : {};
    return { fields: [field], args: { full_name: to }, ...facts };
  }
  if (field !== "role") return { fields: [field], args: { [field]: to } };
  const facts = to === "owner" ? { provides: [ownerMade] } : from === "owner" ? { needs: [ownerMade] } : {};
  return { fields: [field], args: { role: roleNumber(to) }, ...facts };
}

/** The values of all profile fields are one argument. */
function profilePiece({ ids }: OrderContext, changes: readonly FieldChange[]): Piece[] {
  if (!changes.length) return [];
  const profile_data = changes.map(({ of, to }) => ({ id: ids.known("profile_fields", of?.field), value: to }));
  const people = changes.flatMap(({ to }) => (Array.isArray(to) ? to : []));
  return [{ fields: ["profile"], args: { profile_data }, needs: people.map((id) => `user ${id} is in use`) }];
}

const isOwner = ({ snapshot }: OrderContext, id: number): boolean =>
  snapshot.organization.realm_users.some((person) => person.user_id === id && roleOf(person) === 100);

export function personDrafts(context: OrderContext, of: number, { action, id: user_id = 0, fields }: Update): Draft[] {
  const self = user_id === context.me;
  const changed = fields.filter(({ field }) => field !== "active" && field !== "profile");
  const profile = fields.filter(({ field }) => field === "profile");
  const called = fields.find(({ field }) => field === "full_name");
  const args = { user_id };
  const drafts = setAside(context, of, { section: "people", id: user_id }, called?.from, (full_name) => ({
    operation: updateUser,
    phase: phases.people,
    args: { user_id, full_name },
  }));
  if (action === "reactivate")
    drafts.push({
      of,
      part: "reactivate",
      phase: phases.reactivate,
      operation: reactivateUser,
      args,
      fields: ["active"],
      does: "reactivated",
      provides: [`user ${user_id} is in use`],
    });
  if (changed.length + profile.length)
    drafts.push({
      of,
      part: "update",
      phase: self ? phases.self : phases.people,
      operation: updateUser,
      args,
      pieces: [...changed.map((change) => pieceOf(context, of, user_id, change)), ...profilePiece(context, profile)],
      ...(action === "reactivate" && { needs: [`user ${user_id} is in use`] }),
    });
  if (action === "deactivate")
    drafts.push({
      of,
      part: "deactivate",
      phase: self ? phases.self : phases.leave,
      operation: deactivateUser,
      args,
      fields: ["active"],
      does: "deactivated",
      needs: isOwner(context, user_id) ? [ownerMade] : [],
    });
  return drafts;
}

export function invitationDrafts({ ids }: OrderContext, of: number, { to }: Creation): Draft[] {
  const groups = ids.all("groups", to.groups);
  return [
    {
      of,
      part: "invite",
      phase: phases.people + 0.5,
      operation: sendInvitations,
      args: given({
        invitee_emails: to.email,
        stream_ids: ids.all("channels", to.channels),
        invite_as: roleNumber(to.role),
        group_ids: groups.length ? groups : undefined,
      }),
      fields: Object.keys(to),
      does: "invited",
    },
  ];
}
