/** Checks the guards from what a run changed, without the code of the program. */

import type { Register } from "./expected.ts";
import { type Fact, partsOf, restriction, type Write } from "./facts.ts";
import type { Reading } from "./readings.ts";
import { type Attempt, type By, changes, type Story } from "./story.ts";

const fewRemovals = 10;
const longList = 20;

const lists = new Set(["members", "subgroups", "subscribers"]);

const owner = 100;

/** The limits of runs without faults. */
const overrides = { allowEmpty: true, allowLockout: true, maxRemovals: 1000 };

/** Checks the writes of one run against the guards. `judged`: its second reading. */
export function checkGuards(
  { desired, caller, register, history }: Story,
  attempt: Attempt,
  writes: readonly Write<By>[],
  judged: Reading,
): string | undefined {
  const { allowEmpty, allowLockout, maxRemovals } = attempt.calm ? overrides : desired;
  const me = `people ${register.people.get(caller)}`;
  const sizes = new Map<string, number>();
  for (const [fact] of judged.facts) {
    const { thing, field, element } = partsOf(fact);
    if (element !== undefined) sizes.set(`${thing} ${field}`, (sizes.get(`${thing} ${field}`) ?? 0) + 1);
  }
  const removed = new Map<string, number>();
  const grownLists = new Set<string>();
  let removals = 0;
  for (const { fact, from, to } of writes) {
    const { thing, section, field } = partsOf(fact);
    if (fact === `${me} away` && to) return "the account that applied the file was deactivated";
    if (fact === `${me} role` && (to as number) > (from as number) && !allowLockout)
      return "the account that applied the file lost its role";
    if (lists.has(field)) {
      if (to === undefined) removed.set(`${thing} ${field}`, (removed.get(`${thing} ${field}`) ?? 0) + 1);
      else grownLists.add(`${thing} ${field}`);
    }
    // A changed playground is removed and added again.
    if ((field === "away" && to) || (field === "there" && !to && section !== "playgrounds")) removals++;
  }
  for (const [list, gone] of removed) {
    const of = sizes.get(list) ?? 0;
    removals += gone;
    if (of > 1 && gone >= of && !grownLists.has(list) && !allowEmpty) return `${list} was emptied`;
    if (maxRemovals === undefined && of > longList && gone * 10 > of) return `${gone} of ${of} left ${list}`;
  }
  const limit = maxRemovals ?? fewRemovals;
  if (removals > limit) return `${removals} things were removed, where ${limit} may be`;
  if (removesLastDomain(history, writes, judged))
    return "the last domain was removed while addresses are restricted to domains";
  if (!allowLockout && losesChannel(register, me, writes, judged))
    return "the account that applied the file cannot read any more";
  return removesLastOwner(attempt, judged) ? "no owner would have been left" : undefined;
}

/** Whether the last domain was removed while addresses are restricted. */
function removesLastDomain(
  history: Story["history"],
  writes: readonly Write<By>[],
  { at: since, facts }: Reading,
): boolean {
  const isDomain = (fact: Fact) => /^domains .* there$/.test(fact);
  const left = new Set([...facts.keys()].filter(isDomain));
  for (const { at, fact, to } of history.writes) if (at > since && isDomain(fact) && to) left.add(fact);
  if (!left.size) return false;
  let restricted = facts.get(restriction);
  return writes.some(({ fact, to }) => {
    if (fact === restriction) restricted = to;
    return isDomain(fact) && !to && left.delete(fact) && !left.size && restricted;
  });
}

/** Whether the caller left a private channel that it cannot join again. */
function losesChannel(register: Register, me: string, writes: readonly Write<By>[], { facts }: Reading): boolean {
  const id = me.split(" ")[1];
  const after = new Map(facts);
  for (const { fact, to } of writes) after.set(fact, to);
  return writes.some(({ fact, to }) => {
    const { thing, field, element } = partsOf(fact);
    if (field !== "subscribers" || element !== id || to || after.get(fact)) return false;
    return (
      after.get(`${thing} is_private`) &&
      after.get(`${thing} can_add_subscribers_group`) === register.roles.get("role:nobody")
    );
  });
}

/** Returns whether the file would leave no owner, whatever the server says. */
function removesLastOwner({ passages }: Attempt, { facts }: Reading): boolean {
  const owners = new Set(
    [...facts].flatMap(([fact, value]) => {
      const { id, field } = partsOf(fact);
      return field === "role" && value === owner && !facts.get(`people ${id} away`) ? [id] : [];
    }),
  );
  const before = owners.size;
  for (const { request } of passages.filter(changes)) {
    const id = /\/users\/(\d+)$/.exec(new URL(request.url).pathname)?.[1];
    if (id === undefined) continue;
    const role = new URLSearchParams(request.body).get("role");
    if (request.method === "DELETE" || (role !== null && Number(role) !== owner)) owners.delete(id);
    else if (role !== null) owners.add(id);
  }
  return before > 0 && owners.size === 0;
}
