/** Judges whether the account in use locks itself out, and whether an owner is left. */
import { isActivePerson, roleName, roles } from "../model/person.ts";
import type { Judging, Lockout } from "./judging.ts";
import type { AccountNow } from "./present.ts";

type Account = Pick<AccountNow, "user_id" | "full_name" | "role" | "is_bot" | "is_active">;

const isOwner = (one: Account): boolean => isActivePerson(one) && one.role === roles.owner;

/**
 * Returns why accounts cannot be deactivated: they are the account in use, or the last owners. `demoted`: those who get a
 * lower role, with the change.
 */
export function deactivationLockouts(
  all: readonly { readonly id: number; readonly title: string; readonly n?: number }[],
  everybody: Iterable<Account>,
  me: number,
  demoted: ReadonlyMap<number, number> = new Map(),
): Lockout[] {
  const own = all.find(({ id }) => id === me);
  const lockouts: Lockout[] = own
    ? [
        {
          says: `${own.title} is your own account, which zulipctl does not deactivate`,
          text: "deactivates your own account",
          hint: "Another administrator can deactivate it.",
          changes: [own.n ?? 0],
        },
      ]
    : [];
  const leaving = new Map([...demoted, ...all.map(({ id, n = 0 }) => [id, n] as const)]);
  const owners = [...everybody].filter(isOwner);
  if (!owners.length || owners.some(({ user_id }) => !leaving.has(user_id))) return lockouts;
  const names = owners.map(({ full_name }) => full_name).join(", ");
  lockouts.push({
    says: `this would leave the organization without an owner: ${names} ${owners.length > 1 ? "are" : "is"} the last`,
    text: "leaves the organization without an owner",
    hint: "Make somebody else an owner first with: zulipctl users update <user> --role owner",
    changes: owners.map(({ user_id }) => leaving.get(user_id) ?? 0),
  });
  return lockouts;
}

type Own = Pick<AccountNow, "user_id" | "role">;

/** Judges the role of the account in use. Returns who gets a lower role than an owner's, with the change. */
async function judgeRoles(judging: Judging, me: Own): Promise<Map<number, number>> {
  const demoted = new Map<number, number>();
  for (const { n, impact } of judging.of("role")) {
    const id = await judging.idOf(impact.account);
    if (id !== undefined && impact.role > roles.owner) demoted.set(id, n);
    if (impact.role <= me.role || id !== me.user_id) continue;
    const role = roleName(me.role);
    judging.lock({
      says: `your account would lose the role ${role}`,
      text: `takes the role ${role} from your own account`,
      overrideFlag: "--allow-lockout",
      changes: [n],
    });
  }
  return demoted;
}

async function judgeDeactivations(
  judging: Judging,
  { user_id: me }: Own,
  demoted: ReadonlyMap<number, number>,
): Promise<void> {
  const people = judging.of("deactivate").map(({ n, impact: { account } }) => ({ n, account }));
  const bots = judging.of("remove").filter(({ impact }) => impact.kind === "bot");
  const accounts = [...people, ...bots.map(({ n, impact: { id: account } }) => ({ n, account }))];
  const all: { id: number; title: string; n: number }[] = [];
  for (const { n, account } of accounts) {
    const id = await judging.idOf(account);
    if (id !== undefined) all.push({ id, n, title: judging.subjects[n]?.title ?? String(account) });
  }
  // No bot is the last owner. Only owners take the role of owners, so one is left unless the account in use loses it too.
  // Servers refuse that for the last one; a plan knows everybody, and says so before.
  const everybody =
    people.length || (judging.present.ownAccessLost && demoted.has(me))
      ? await judging.read(() => judging.present.accounts(), {
          what: "who the owners are",
          changes: [...people.map(({ n }) => n), ...demoted.values()],
        })
      : undefined;
  for (const lockout of deactivationLockouts(all, everybody?.values() ?? [], me, demoted)) judging.lock(lockout);
}

export async function judgeLockout(judging: Judging): Promise<void> {
  const deactivates =
    judging.of("deactivate").length > 0 || judging.of("remove").some(({ impact }) => impact.kind === "bot");
  for (const what of (await judging.present.ownAccessLost?.()) ?? [])
    judging.lock({
      says: `your account could no longer ${what}`,
      text: "",
      overrideFlag: "--allow-lockout",
      changes: [],
    });
  if (!deactivates && !judging.of("role").length) return;
  const changes = [...judging.of("deactivate", "role"), ...judging.of("remove")].map(({ n }) => n);
  const me = await judging.read(() => judging.present.ownAccount(), { what: "which account this is", changes });
  if (!me) return;
  const demoted = await judgeRoles(judging, me);
  const losesOwner = me.role === roles.owner && demoted.has(me.user_id);
  if (deactivates || losesOwner) await judgeDeactivations(judging, me, demoted);
}
