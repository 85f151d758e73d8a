/** People: who is changed, let go, brought back and invited. */
import { sendInvitations } from "../../api/invitations.ts";
import { deactivateUser, reactivateUser, updateUser } from "../../api/people.ts";
import { roles } from "../../api/users.ts";
import type { Creation, FieldChange, Update } from "../difference.ts";
import { roleOf } from "../snapshot.ts";
import { given, type OrderContext, whole } from "./context.ts";
import type { Draft, Facts, Piece } from "./draft.ts";
import { renamed, setAside } from "./renaming.ts";
import { inside } from "./subscribers.ts";

type Role = keyof typeof roles;

const ownerMade = "owners are made";

/** Where names must differ only until this plan, or from then on, the setting goes before them or after. */
const named = (context: OrderContext, of: number, user: number, change: FieldChange): Facts =>
  context.uniqueNames
    ? renamed(context, of, { section: "people", id: user }, change)
    : { follows: ["names may be the same"], provides: ["people have their names"] };

function pieceOf(context: OrderContext, n: number, user: number, change: FieldChange): Piece {
  const { field, of, from, to } = change;
  if (field === "full_name") return { fields: [field], args: { full_name: to }, ...named(context, n, user, change) };
  if (field === "role") {
    const facts = to === "owner" ? { provides: [ownerMade] } : from === "owner" ? { needs: [ownerMade] } : {};
    return { fields: [field], args: { role: roles[to as Role] }, ...facts };
  }
  if (field !== "profile") return { fields: [field], args: { [field]: to } };
  const id = context.ids.known("profile_fields", of!.field);
  const people = Array.isArray(to) ? to.map((each) => `user ${each}`) : [];
  return {
    fields: [field],
    args: { profile_data: [{ id, value: to }] },
    needs: [`profile field ${id} has its options`, ...people.map((each) => `${each} is in use`)],
    provides: people.map((each) => `${each} was named`),
  };
}

/** The values of several fields are one argument. */
function joined(pieces: readonly Piece[]): Piece[] {
  const values = pieces.flatMap(({ args }) => (args.profile_data as object[] | undefined) ?? []);
  const others = pieces.filter(({ args }) => !args.profile_data);
  if (!values.length) return others;
  const told = pieces.filter(({ args }) => args.profile_data);
  const needs = told.flatMap((piece) => piece.needs ?? []);
  const provides = told.flatMap((piece) => piece.provides ?? []);
  return [...others, { fields: ["profile"], args: { profile_data: values }, needs, provides }];
}

const isOwner = ({ snapshot }: OrderContext, id: number): boolean =>
  snapshot.organization.realm_users.some((person) => person.user_id === id && roleOf(person) === 100);

export function personDrafts(context: OrderContext, of: number, { action, id, fields }: Update): Draft[] {
  const user_id = id!;
  const own = user_id === context.me ? ({ own: true } as const) : {};
  const about = `user ${user_id}`;
  const changed = fields.filter(({ field }) => field !== "active");
  const called = fields.find(({ field }) => field === "full_name");
  const drafts = setAside(context, of, { section: "people", id: user_id }, called?.from, (full_name) => ({
    operation: updateUser,
    args: { user_id, full_name },
  }));
  if (action === "reactivate")
    drafts.push(
      whole({
        of,
        part: "reactivate",
        operation: reactivateUser,
        args: { user_id },
        fields: ["active"],
        does: "reactivated",
        provides: [`${about} is in use`],
      }),
    );
  if (changed.length)
    drafts.push({
      of,
      part: "update",
      operation: updateUser,
      args: { user_id },
      pieces: joined(changed.map((change) => pieceOf(context, of, user_id, change))),
      provides: [`${about} was named`],
      ...own,
    });
  if (action === "deactivate")
    drafts.push(
      whole({
        of,
        part: "deactivate",
        operation: deactivateUser,
        args: { user_id },
        fields: ["active"],
        does: "deactivated",
        needs: isOwner(context, user_id) ? [ownerMade] : [],
        follows: [`${about} was named`],
        ...own,
      }),
    );
  return drafts;
}

export function invitationDrafts({ ids }: OrderContext, of: number, { to }: Creation): Draft[] {
  const groups = ids.all("groups", to.groups ?? []);
  const channels = ids.all("channels", to.channels ?? []);
  return [
    whole({
      of,
      part: "invite",
      operation: sendInvitations,
      args: given({
        invitee_emails: to.email,
        stream_ids: channels,
        invite_as: roles[to.role as Role],
        group_ids: groups.length ? groups : undefined,
      }),
      fields: Object.keys(to),
      does: "invited",
      needs: ["invitations may go to these addresses"],
      provides: channels.map(inside),
    }),
  ];
}
