/** What must hold after every story of an organization, told from what became of each of its facts. */
import type { Content, Entry } from "../../../src/organization/content.ts";
import { asking, guessed } from "./alike.ts";
import { claimed } from "./claims.ts";
import { type Fact, partsOf, restriction, type Write } from "./facts.ts";
import { limits } from "./limits.ts";
import { changes, judgedBy, momentOf, plannedFrom, type Reading } from "./readings.ts";
import { type Attempt, type By, type Chain, live, type Story } from "./story.ts";
import { askedOf, fieldsOf, roles } from "./wished.ts";

type Written = Write<By>;

/** The first breach; undefined where there is none. */
export function breach(story: Story): string | undefined {
  const byFact = new Map<Fact, Written[]>();
  for (const write of story.history.writes) {
    const all = byFact.get(write.fact);
    if (all) all.push(write);
    else byFact.set(write.fact, [write]);
  }
  for (const [n, attempt] of story.attempts.entries()) {
    const found =
      bug(attempt) ??
      early(attempt) ??
      lesser(story, attempt) ??
      applied(story, attempt, byFact) ??
      claimed(story, attempt, byFact);
    if (found) return `run ${n}: ${found}`;
  }
  return story.chains.map((chain) => twice(story, chain)).find((each) => each) ?? converged(story);
}

/** An account that does not see everything, at any of its looks, sends nothing after that. */
function lesser({ caller, register }: Story, { passages, served }: Attempt): string | undefined {
  const role = `people ${register.people.get(caller)} role`;
  const administrator = 200;
  const looked = passages.find(
    ({ request, told, answered }) =>
      request.url.endsWith("/register") &&
      told &&
      answered &&
      (served.get(request)?.facts.get(role) as number) > administrator,
  );
  const sent = looked && passages.find((passage) => changes(passage) && passage.left >= looked.over!);
  return sent && `${sent.request.method} ${sent.request.url} was sent by an account that does not see everything`;
}

const bug = ({ code, err }: Attempt): string | undefined => (code === 70 ? `a bug: ${err}` : undefined);

/** Nothing is sent before the organization was read a second time, and nothing where a run ends with 2. */
function early(attempt: Attempt): string | undefined {
  const judged = judgedBy(attempt);
  const sent = attempt.passages.find((passage) => changes(passage) && !(passage.left >= (judged?.over ?? Infinity)));
  if (sent) return `${sent.request.method} ${sent.request.url} was sent before a second look`;
  return attempt.code === 2 && attempt.passages.some(changes) ? "it sent something and ended with 2" : undefined;
}

function applied(story: Story, attempt: Attempt, byFact: ReadonlyMap<Fact, Written[]>): string | undefined {
  const [planned, judged] = [plannedFrom(attempt.chain), judgedBy(attempt)];
  if (!planned || !judged) return undefined;
  const all = story.history.writes.filter(({ by }) => by === attempt);
  // The server lifts the restriction to domains together with the last domain.
  const undone = new Set(all.flatMap(({ at, fact, to }) => (/^domains .* there$/.test(fact) && !to ? [at] : [])));
  const writes = all.filter(({ at, fact }) => fact !== restriction || !undone.has(at));
  return (
    guessed(story, attempt, planned) ??
    writes.map((write) => overwritten(write, planned, judged, byFact)).find((each) => each) ??
    strange(story, attempt, writes, planned, judged) ??
    limits(story, attempt, writes, judged)
  );
}

/** What somebody did between the two readings is left alone. */
function overwritten(
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

const made = (story: Story, { attempts }: Chain): Set<string> =>
  new Set(
    story.history.writes.flatMap(({ by, fact, to }) => {
      const { thing, field } = partsOf(fact);
      return field === "there" && to && attempts.includes(by as Attempt) ? [thing] : [];
    }),
  );

/** Whether an invitation that a run makes is as the file says. */
function invites({ wish }: Story, fact: Fact, to: unknown): boolean {
  const invited = ((wish.content.people ?? []) as Entry[]).filter(({ invite }) => invite);
  const { field } = partsOf(fact);
  if (field === "name") return invited.some(({ email }) => email === to);
  return field === "there" ? to === true : invited.some(({ role = "member" }) => roles[role as string] === to);
}

/** Only what the file speaks of is changed, of the things that it was about when the plan was made, and what was made for it. */
function strange(
  story: Story,
  { chain }: Attempt,
  writes: readonly Written[],
  planned: Reading,
  judged: Reading,
): string | undefined {
  const { wish, register, history } = story;
  const own = made(story, chain);
  const facts = new Map([...planned.facts].filter(([fact]) => !fact.startsWith("folders ")));
  for (const [fact, value] of planned.folders.facts) if (fact.startsWith("folders ")) facts.set(fact, value);
  const asked = new Map(askedOf(wish.content, facts, register).map((each) => [each.thing, fieldsOf(each)]));
  const gone = new Set(writes.flatMap(({ at, fact, to }) => (fact.endsWith(" there") && !to ? [`${at} ${fact}`] : [])));
  for (const { at, fact, to } of writes) {
    const { thing, section, field } = partsOf(fact);
    if (section === "settings") {
      if (Object.hasOwn(wish.content.settings ?? {}, field)) continue;
      return `${fact} became ${to}, of which the file says nothing`;
    }
    if (section === "invitations") {
      if (invites(story, fact, to)) continue;
      return `${fact} became ${to}, and the file invites nobody so`;
    }
    if (own.has(thing) || asked.get(thing)?.has(field)) continue;
    // No call can change a playground, and what is to go is no part of the file.
    const pruned = wish.prune && wish.content.complete?.includes(section as never) && facts.has(`${thing} there`);
    const removable = pruned || (section === "playgrounds" && asked.has(thing));
    if (removable && gone.has(`${at} ${thing} there`)) continue;
    // Channels go by their names there: since the second look, somebody has given this one that of another.
    const named = history.writes.some(
      (write) => write.fact === `${thing} name` && write.by === "other" && write.at > judged.at && write.at < at,
    );
    if (field === "subscribers" && named) continue;
    return `${fact} became ${to}, and the file is not about it`;
  }
  return undefined;
}

/** Milliseconds within which a process that heard an answer has it on disk. */
const writing = 150;

/** Whose servers do not tell is known again by what it is. */
const knowable = (thing: string, writes: readonly Written[]): boolean =>
  /^(channels|groups|folders) /.test(thing) ||
  !writes.some(({ by, fact }) => by === "other" && partsOf(fact).thing === thing && !/ (name|pattern)$/.test(fact));

/**
 * No run, nor any that goes on with it, makes a thing a second time, and none makes a channel by subscribing people to it.
 * What was made without the run hearing of it, and is called otherwise by now, is known again while it is there; and no
 * request can be called back that was under way before the other one was answered.
 */
function twice({ history }: Story, chain: Chain): string | undefined {
  const seen = new Map<string, string>();
  /** When it was heard that a thing was made, in milliseconds of virtual time. */
  const known = new Map<string, number>();
  for (const { at, by, fact, to, from } of history.writes) {
    const { section, field, thing } = partsOf(fact);
    if (from !== undefined || !["name", "pattern"].includes(field) || !chain.attempts.includes(by as Attempt)) continue;
    const name = `${section} ${to}`;
    const attempt = by as Attempt;
    const passage = attempt.passages.find(({ request }) => attempt.served.get(request)?.at === at)!;
    if (passage.request.url.endsWith("/users/me/subscriptions")) return `${name} was made by subscribing people to it`;
    const first = seen.get(name);
    // A folder that is put away leaves its name to another.
    const called = (write: Written) => new RegExp(`^${first} (name|pattern|there|away)$`).test(write.fact);
    if (first && !history.writes.some((write) => write.by === "other" && write.at < at && called(write)))
      return `${name} was made twice`;
    const judged = judgedBy(attempt);
    if (
      first &&
      judged &&
      momentOf(judged, `${first} there`).facts.has(`${first} there`) &&
      knowable(first, history.writes)
    )
      return `${name} was made twice, and the first was there when the run looked`;
    if (first && passage.left > (known.get(first) ?? Number.POSITIVE_INFINITY))
      return `${name} was made twice, and it was known to be made`;
    seen.set(name, thing);
    const kept = attempt.process.ceased - passage.over! > writing;
    if (passage.answered && passage.told && kept) known.set(thing, passage.over!);
  }
  return undefined;
}

/** Nobody may be made to do without any owner, and no account lets itself go: such a file is never applied. */
function hopeless({ content }: Story["wish"], { state }: Story): boolean {
  const entries = (content.people ?? []) as Entry[];
  const [me, ...owners] = [...state.users.values()]
    .filter(({ role }) => role === 100)
    .map((user) => user.delivery_email);
  const entry = (email: string) => entries.find((each) => each.email === email);
  const stays = (email: string) => entry(email)?.active !== false && (entry(email)?.role ?? "owner") === "owner";
  return entry(me!)?.active === false || ![me!, ...owners].some(stays);
}

const losing = ({ people = [] }: Content, email: string): boolean =>
  (people as Entry[]).some((each) => each.email === email && each.role !== undefined && each.role !== "administrator");

/** Somebody else has put a group into one that the file puts into it: nothing is sent, and the run says so. */
const nested = ({ history }: Story, { code, err, passages }: Attempt): boolean =>
  code === 1 &&
  !passages.some(changes) &&
  err.includes("it would be a subgroup of itself") &&
  history.writes.some(({ by, fact, to }) => by === "other" && to && /^groups \d+ subgroups /.test(fact));

/** When the trouble is over, the file is put into force by one run, and a second finds nothing to do. */
function converged(story: Story): string | undefined {
  const calm = story.attempts.filter((attempt) => attempt.calm);
  const [first, second = first] = calm as [Attempt, Attempt?];
  if (hopeless(story.wish, story)) {
    // What besides the server would refuse, an invitation to a channel that the account cannot see, is told first.
    const refused = first.code === 1 && /"refused":\[\{"section":"people"/.test(first.err);
    return (first.code === 2 || refused) && !first.passages.some(changes)
      ? undefined
      : "what must never be done was begun";
  }
  if (nested(story, first) || asking(story, first)) return undefined;
  if (first.code !== 0) return `the last run ended with ${first.code}: ${first.err}`;
  if (story.left.length) return `this differs for ever: ${JSON.stringify(story.left).slice(0, 500)}`;
  // It has taken its own rights away, as the file says.
  if (losing(story.wish.content, story.caller)) return undefined;
  if (second.code !== 0 || second.passages.some(changes))
    return `applied again, it ended with ${second.code}: ${second.err}`;
  return undefined;
}

/** Undefined where nothing is wrong. */
export async function simulatePlan(seed: number): Promise<{ seed: number; breach: string } | undefined> {
  try {
    const found = breach(await live(seed));
    return found === undefined ? undefined : { seed, breach: found };
  } catch (error) {
    return { seed, breach: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
