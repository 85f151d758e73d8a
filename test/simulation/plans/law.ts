/** Checks the rules that must hold after each run, from the history of each fact. */
import type { Content, FileEntry } from "../../../src/organization/content.ts";
import { checkClaims } from "./claims.ts";
import { expectedOf, fieldsOf, roles } from "./expected.ts";
import { type Fact, type Facts, partsOf, restriction, type Write } from "./facts.ts";
import { checkGuards } from "./limits.ts";
import { evaluatedFrom, momentOf, plannedFrom, type Reading } from "./readings.ts";
import { type Attempt, type By, changes, type Story } from "./story.ts";

type Written = Write<By>;

/** Returns the first broken rule. */
export function brokenRule(story: Story): string | undefined {
  const byFact = new Map<Fact, Written[]>();
  for (const write of story.history.writes) {
    const all = byFact.get(write.fact);
    if (all) all.push(write);
    else byFact.set(write.fact, [write]);
  }
  for (const [n, attempt] of story.attempts.entries()) {
    const found =
      checkCrash(attempt) ??
      checkReads(attempt) ??
      checkVisibility(story, attempt) ??
      checkWrites(story, attempt, byFact) ??
      checkClaims(story, attempt, byFact) ??
      checkDuplicates(story, attempt);
    if (found) return `run ${n}: ${found}`;
  }
  return checkConvergence(story);
}

/** Checks that an account that does not see everything sends nothing. */
function checkVisibility({ caller, register }: Story, { passages, served }: Attempt): string | undefined {
  const role = `people ${register.people.get(caller)} role`;
  const administrator = 200;
  const looked = passages.find(
    ({ request, isSettled, hasAnswer }) =>
      request.url.endsWith("/register") &&
      isSettled &&
      hasAnswer &&
      (served.get(request)?.facts.get(role) as number) > administrator,
  );
  const sent = looked && passages.find((passage) => changes(passage) && passage.sentAt >= looked.settledAt!);
  return sent && `${sent.request.method} ${sent.request.url} was sent by an account that does not see everything`;
}

const checkCrash = ({ code, err }: Attempt): string | undefined => (code === 70 ? `a bug: ${err}` : undefined);

/** Checks that nothing is sent before the second read, and nothing by a run that ends with 2. */
function checkReads(attempt: Attempt): string | undefined {
  const judged = evaluatedFrom(attempt);
  const sent = attempt.passages.find((passage) => changes(passage) && !(passage.sentAt >= (judged?.over ?? Infinity)));
  if (sent) return `${sent.request.method} ${sent.request.url} was sent before a second look`;
  return attempt.code === 2 && attempt.passages.some(changes) ? "it sent something and ended with 2" : undefined;
}

function checkWrites(story: Story, attempt: Attempt, byFact: ReadonlyMap<Fact, Written[]>): string | undefined {
  const [planned, judged] = [plannedFrom(attempt), evaluatedFrom(attempt)];
  if (!planned || !judged) return undefined;
  const all = story.history.writes.filter(({ by }) => by === attempt);
  // The server removes the restriction together with the last domain.
  const domainRemovals = new Set(
    all.flatMap(({ at, fact, to }) => (/^domains .* there$/.test(fact) && !to ? [at] : [])),
  );
  const writes = all.filter(({ at, fact }) => fact !== restriction || !domainRemovals.has(at));
  return (
    checkAmbiguity(story, attempt, planned) ??
    writes.map((write) => checkOverwrite(write, planned, judged, byFact)).find((each) => each) ??
    checkScope(story, attempt, writes, planned, judged) ??
    checkGuards(story, attempt, writes, judged)
  );
}

/** Checks that changes by others between the two reads are kept. */
function checkOverwrite(
  { fact, to }: Written,
  planned: Reading,
  judged: Reading,
  byFact: ReadonlyMap<Fact, Written[]>,
): string | undefined {
  const [before, then] = [momentOf(planned, fact), momentOf(judged, fact)];
  if (before.facts.get(fact) === then.facts.get(fact)) return undefined;
  const last = byFact.get(fact)!.findLast(({ at }) => at > before.at && at <= then.at);
  return last?.by === "other" ? `${fact}, which somebody else had made ${last.to}, became ${to}` : undefined;
}

const createdThings = (story: Story, attempt: Attempt): Set<string> =>
  new Set(
    story.history.writes.flatMap(({ by, fact, to }) => {
      const { thing, field } = partsOf(fact);
      return field === "there" && to && by === attempt ? [thing] : [];
    }),
  );

/** Whether the file asks for an invitation. */
function isDesiredInvitation({ desired }: Story, fact: Fact, to: unknown): boolean {
  const invited = ((desired.content.people ?? []) as FileEntry[]).filter(({ invite }) => invite);
  const { field } = partsOf(fact);
  if (field === "name") return invited.some(({ email }) => email === to);
  return field === "there" ? to === true : invited.some(({ role = "member" }) => roles[role as string] === to);
}

/** Checks that only attributes of the file change, and only of things that it described at planning time. */
function checkScope(
  story: Story,
  attempt: Attempt,
  writes: readonly Written[],
  planned: Reading,
  judged: Reading,
): string | undefined {
  const { desired, register, history } = story;
  const own = createdThings(story, attempt);
  const facts = new Map([...planned.facts].filter(([fact]) => !fact.startsWith("folders ")));
  for (const [fact, value] of planned.folders.facts) if (fact.startsWith("folders ")) facts.set(fact, value);
  const expected = new Map(expectedOf(desired.content, facts, register).map((each) => [each.thing, fieldsOf(each)]));
  const removals = new Set(
    writes.flatMap(({ at, fact, to }) => (fact.endsWith(" there") && !to ? [`${at} ${fact}`] : [])),
  );
  for (const { at, fact, to } of writes) {
    const { thing, section, field } = partsOf(fact);
    if (section === "settings") {
      if (Object.hasOwn(desired.content.settings ?? {}, field)) continue;
      return `${fact} became ${to}, of which the file says nothing`;
    }
    if (section === "invitations") {
      if (isDesiredInvitation(story, fact, to)) continue;
      return `${fact} became ${to}, and the file invites nobody so`;
    }
    if (own.has(thing) || expected.get(thing)?.has(field)) continue;
    // What the file describes comes back if it is archived or deactivated. People do so only if the file says it.
    if (field === "away" && to === false && ["channels", "folders", "groups"].includes(section) && expected.has(thing))
      continue;
    // Playgrounds are removed in order to change, and pruned things are not in the file.
    const pruned = desired.prune && desired.content.complete?.includes(section as never) && facts.has(`${thing} there`);
    const removable = pruned || (section === "playgrounds" && expected.has(thing));
    if (removable && removals.has(`${at} ${thing} there`)) continue;
    // This request names channels. Somebody gave this channel another's name after the second read.
    const wasRenamed = history.writes.some(
      (write) => write.fact === `${thing} name` && write.by === "other" && write.at > judged.at && write.at < at,
    );
    if (field === "subscribers" && wasRenamed) continue;
    return `${fact} became ${to}, and the file is not about it`;
  }
  return undefined;
}

/** Checks that no run creates two things with one name, or a channel by subscribing people. */
function checkDuplicates({ history }: Story, attempt: Attempt): string | undefined {
  const seen = new Set<string>();
  for (const { at, by, fact, to, from } of history.writes) {
    const { section, field } = partsOf(fact);
    if (by !== attempt || from !== undefined || !["name", "pattern"].includes(field)) continue;
    const name = `${section} ${to}`;
    const { request } = attempt.passages.find(({ request }) => attempt.served.get(request)?.at === at)!;
    if (request.url.endsWith("/users/me/subscriptions")) return `${name} was made by subscribing people to it`;
    if (seen.has(name)) return `${name} was made twice`;
    seen.add(name);
  }
  return undefined;
}

/** Returns the ids of active folders with the same name, if the file uses that name. */
function ambiguousFolders(content: Content, facts: Facts): string[] | undefined {
  const entries = (content.folders ?? []) as FileEntry[];
  const named = new Map<string, string[]>();
  for (const [fact, value] of facts) {
    const { section, id, field, thing } = partsOf(fact);
    if (section !== "folders" || field !== "name" || facts.get(`${thing} away`) !== false) continue;
    if (entries.some((entry) => entry.id === Number(id))) continue;
    const name = String(value).toLowerCase();
    named.set(name, [...(named.get(name) ?? []), id]);
  }
  const meant = entries.flatMap(({ id, name, was }) => {
    const [now, old] = [name, was].map((each) => named.get(String(each ?? "").toLowerCase()));
    return id === undefined ? [now ?? old ?? []] : [];
  });
  return meant.find((ids) => ids.length > 1);
}

/** Checks that nothing is sent if a name in the file is ambiguous. */
function checkAmbiguity({ desired }: Story, { passages }: Attempt, { folders }: Reading): string | undefined {
  const ambiguous = ambiguousFolders(desired.content, folders.facts);
  const sent = ambiguous && passages.find(changes);
  return sent && `${sent.request.method} ${sent.request.url} was sent, and nobody knows which of ${ambiguous} is meant`;
}

/** Whether nothing is sent because of an ambiguous name, and the run names all things. */
function isAmbiguityReported({ desired }: Story, attempt: Attempt): boolean {
  const alike = ambiguousFolders(desired.content, plannedFrom(attempt)!.folders.facts);
  const { code, err, passages } = attempt;
  const named = alike?.map((id) => `id ${id}`).join(", ");
  return named !== undefined && code === 2 && !passages.some(changes) && err.includes(named);
}

/** Whether the file removes the last owner or deactivates the caller. Such a file is never applied. */
function isForbidden({ content }: Story["desired"], { state }: Story): boolean {
  const entries = (content.people ?? []) as FileEntry[];
  const [me, ...owners] = [...state.users.values()]
    .filter(({ role }) => role === 100)
    .map((user) => user.delivery_email);
  const entry = (email: string) => entries.find((each) => each.email === email);
  const stays = (email: string) => entry(email)?.active !== false && (entry(email)?.role ?? "owner") === "owner";
  return entry(me!)?.active === false || ![me!, ...owners].some(stays);
}

const losesRole = ({ people = [] }: Content, email: string): boolean =>
  (people as FileEntry[]).some(
    (each) => each.email === email && each.role !== undefined && each.role !== "administrator",
  );

/** Whether nothing is sent because somebody else's subgroup would close a cycle, and the run says so. */
const isNestingReported = ({ history }: Story, { code, err, passages }: Attempt): boolean =>
  code === 1 &&
  !passages.some(changes) &&
  err.includes("it would be a subgroup of itself") &&
  history.writes.some(({ by, fact, to }) => by === "other" && to && /^groups \d+ subgroups /.test(fact));

/** Checks that without faults one run applies the file, and a second has nothing to do. */
function checkConvergence(story: Story): string | undefined {
  const calm = story.attempts.filter((attempt) => attempt.calm);
  const [first, second = first] = calm as [Attempt, Attempt?];
  if (isForbidden(story.desired, story)) {
    // Refusals by the server are reported first.
    const refused = first.code === 1 && /"refused":\[\{"section":"people"/.test(first.err);
    return (first.code === 2 || refused) && !first.passages.some(changes)
      ? undefined
      : "what must never be done was begun";
  }
  if (isNestingReported(story, first) || isAmbiguityReported(story, first)) return undefined;
  if (first.code !== 0) return `the last run ended with ${first.code}: ${first.err}`;
  if (story.left.length) return `this differs for ever: ${JSON.stringify(story.left).slice(0, 500)}`;
  // The file took the caller's own rights away.
  if (losesRole(story.desired.content, story.caller)) return undefined;
  if (second.code !== 0 || second.passages.some(changes))
    return `applied again, it ended with ${second.code}: ${second.err}`;
  return undefined;
}
