/** Judges what happens to accounts: deactivation, roles, reactivation. */
import { counted, joinFirst } from "../common/counted.ts";
import type { ChangeEffect } from "../model/effect.ts";
import { deactivatedPerson } from "../model/loss.ts";
import {
  administers,
  isActive,
  isActivePerson,
  isAdministrativeRole,
  knownRole,
  returnRisks,
  roleName,
} from "../model/person.ts";
import { fewRemovals } from "../model/removal-limit.ts";
import type { AffectedAccount } from "../wire/impact.ts";
import { botsOf } from "./judge-leaving.ts";
import type { Judging } from "./judging.ts";
import type { AccountNow } from "./present.ts";

/** Returns what a new role takes and gives. */
function roleEffects(user: Pick<AccountNow, "full_name" | "role" | "user_id">, role: number): ChangeEffect[] {
  const [from, to] = [roleName(user.role), roleName(role)];
  if (user.role === role) return [];
  const one = { people: 1, who: [user.user_id] };
  const asks = isAdministrativeRole(from) || isAdministrativeRole(to);
  const question = asks && { question: { question: `Change the role of ${user.full_name} from ${from} to ${to}` } };
  const lost: ChangeEffect = { kind: "access_lost", text: `takes the role ${from}`, ...one, asks, ...question };
  const given = (text: string): ChangeEffect => ({ kind: "rights_given", text, ...one, asks, ...question });
  return [
    ...(role > user.role || isAdministrativeRole(from) ? [lost] : []),
    ...(isAdministrativeRole(to) ? [given(`gives the role ${to}`)] : []),
    ...(from === "guest" && !isAdministrativeRole(to) ? [given(`gives a guest the role ${to}`)] : []),
  ];
}

type WithId<O> = O & { readonly id: number };

async function withIds<O extends { readonly impact: { readonly account: AffectedAccount } }>(
  judging: Judging,
  all: readonly O[],
): Promise<WithId<O>[]> {
  const found: WithId<O>[] = [];
  for (const one of all) {
    const id = await judging.idOf(one.impact.account);
    if (id !== undefined) found.push({ ...one, id });
  }
  return found;
}

export async function judgePeople(judging: Judging): Promise<void> {
  const { present, asks, depth } = judging;
  const reads = asks || depth.takes;
  const deactivations = await withIds(judging, judging.of("deactivate"));
  const roleChanges = await withIds(judging, judging.of("role"));
  const reactivations = await withIds(judging, judging.of("reactivate"));
  const returns = asks ? reactivations : [];
  const losers = new Set([...deactivations, ...roleChanges].map(({ id }) => id));
  const all = judging.of("deactivate", "role");
  // Addresses are not found if nobody can be read.
  const nameless = all.length - deactivations.length - roleChanges.length;
  const mayBeMass = losers.size + nameless > fewRemovals;
  const changes = [...new Set([...all, ...returns].map(({ n }) => n))];
  if (!changes.length) return;
  const isSingle = !deactivations.length && !returns.length && losers.size === 1;
  const everybody =
    mayBeMass || nameless > 0 || (reads && !isSingle)
      ? await judging.read(() => present.accounts(), {
          what: "who is there",
          changes,
          ...(mayBeMass && { allowedBy: "--max-removals" as const }),
        })
      : undefined;
  const one = async (id: number) =>
    everybody
      ? everybody.get(id)
      : reads
        ? judging.read(() => present.account(id), { what: "who it is", changes, silent: true })
        : undefined;

  const leaving = new Map<number, number>();
  for (const { n, id, impact } of deactivations) {
    const user = everybody?.get(id);
    if (user && !isActive(user) && !reactivations.some((one) => one.id === id && one.n < n)) continue;
    leaving.set(id, n);
    const bots = botsOf(judging, everybody?.values() ?? [], id, n);
    for (const { user_id } of bots) leaving.set(user_id, n);
    judging.add(n, {
      kind: "access_lost",
      text: deactivatedPerson.effect.says,
      sentence: deactivatedPerson.sentence(deactivations.length),
      people: 1,
      who: [id],
      asks: true,
    });
    if (bots.length) {
      const names = joinFirst(bots.map(({ full_name }) => full_name));
      judging.add(n, { kind: "access_lost", text: `deactivates their bots: ${names}`, sentence: "", asks: true });
    }
    if (impact.deletes?.length)
      judging.add(n, {
        kind: "messages_deleted",
        text: `deletes ${impact.deletes.join(", ")}`,
        sentence: "",
        irreversible: true,
        asks: true,
      });
  }
  const demoted = new Map<number, number>();
  for (const { n, id, impact } of roleChanges) {
    const user = await one(id);
    if (!user) continue;
    judging.add(n, ...roleEffects(user, impact.role));
    if (isActivePerson(user) && impact.role > user.role) demoted.set(id, n);
  }
  for (const { n, id } of returns) {
    const user = await one(id);
    if (!user || !administers(user.role)) continue;
    const role = knownRole(user.role);
    for (const text of returnRisks(role))
      judging.add(n, {
        kind: "rights_given",
        text,
        people: 1,
        who: [id],
        asks: true,
        question: { question: `Reactivate ${user.full_name}`, consequence: `${user.full_name} is an ${role}.` },
      });
  }
  if (!everybody) return;
  const people = [...everybody.values()].filter(isActivePerson);
  const isHit = ({ user_id }: AccountNow) => leaving.has(user_id) || demoted.has(user_id);
  const count = people.filter(isHit).length;
  const does = [leaving.size && "deactivate", demoted.size && "demote"].filter(Boolean).join(" or ");
  const total = people.length;
  judging.lose({ count, total, changes, says: `${does} ${count} of ${counted(total, "person", "people")}` });
}
