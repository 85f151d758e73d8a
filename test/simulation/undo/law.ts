/** The rules of undo, and what a story broke of them. */
import { operationNamed } from "../../../src/api/registry.ts";
import type { LogEntry } from "../../../src/log/change-log.ts";
import { desiredOf } from "../../../src/resolve/desired.ts";
import type { Story, Views } from "./story.ts";
import { inUse, namesOf, thingOf, type View } from "./view.ts";

/** What an undo takes away for good. */
const once =
  /invited again|revoked link does not work again|uploaded again|deleted profile field|private channel without subscribers/;

/** The text of messages is not taken back. */
const isContent = (key: string) => key.startsWith("message ") && key.endsWith("|content");

/** A person whom the run created stays in the lists of the deactivated account. */
function staysInList({ before, after, now }: Views, key: string): boolean {
  const [, id] = /\|(?:subscriber|member) (\d+)$/.exec(key) ?? [];
  const isMade = after.has(`user ${id}|role`) && !before.has(`user ${id}|role`);
  return isMade && now.get(key) === after.get(key);
}

/** Returns what an entry of the log sent of a value, as views have it. */
function sentBy({ operation: called, thing = "organization", at = {}, to = {} }: LogEntry, key: string) {
  const [changed, name = ""] = key.split("|");
  const operation = operationNamed(called);
  if (thing !== changed || !operation) return undefined;
  const values = new Map([...Object.entries(to), ...desiredOf({ operation, args: { ...at, ...to } })]);
  const [, field] = /^field (\d+)$/.exec(name) ?? [];
  const data: { id: number; value: unknown }[] = Array.isArray(to.profile_data) ? to.profile_data : [];
  const part = data.find(({ id }) => String(id) === field);
  const sent = [name, `new_${name}`].find((each) => values.has(each));
  if (!part && sent === undefined) return undefined;
  const value = part ? part.value : values.get(sent ?? "");
  // The organization stores no limit as null.
  return JSON.stringify(thing === "organization" && value === "unlimited" ? null : value);
}

/** Without an answer, nobody can tell who set the value that the run sent. */
const isUnanswered = ({ entries, views: { before, theirs, now } }: Story, key: string): boolean =>
  now.get(key) === before.get(key) &&
  entries.some((entry) => entry.outcome === "unknown" && sentBy(entry, key) === theirs.get(key));

/** A whole topic goes back with what others wrote in it, or moved to it. */
function isInMovedTopic({ entries, views: { theirs, now } }: Story, key: string): boolean {
  const place = (view: View, message: string) => `${view.get(`${message}|stream_id`)} ${view.get(`${message}|topic`)}`;
  const isWith = (other: string) =>
    [theirs, now].every((view) => place(view, thingOf(key)) === place(view, other)) &&
    place(theirs, other) !== place(now, other);
  return (
    key.startsWith("message ") &&
    entries.some(({ operation, at }) => operation === "messages.edit" && isWith(`message ${at?.message_id}`))
  );
}

const isThere = (view: View, thing: string): boolean => [...view.keys()].some((key) => thingOf(key) === thing);

/** A story in words. */
export const report = ({ made, others, undone, again }: Story): string =>
  [
    `${made.text}\n${made.ended.code} ${made.ended.err}`,
    `others: ${others.join("; ")}`,
    undone && `${undone.code} ${undone.err}`,
    again && `again: ${again.ended.code} ${again.ended.err}`,
  ]
    .filter(Boolean)
    .join("\n");

const pathOf = ({ before, after, theirs, now }: Views, key: string): string =>
  `${key}: ${[before, after, theirs, now].map((view) => view.get(key)).join(" → ")}`;

/** Returns the broken rules, a line each. */
export function brokenRule(story: Story): string | undefined {
  return brokenRules(story).join("\n") || undefined;
}

function brokenRules(story: Story): string[] {
  const { made, undone, views, again } = story;
  if (made.ended.code === 70) return [`a bug: ${made.ended.err}`];
  if (!undone) return [];
  const ended = undone.code !== undefined && [0, 1, 2, 5, 6].includes(undone.code);
  const isCalm = !story.hasFaults && made.ended.code !== undefined && !story.others.length;
  return [
    ...things(story).map(([rule, key]) => `${rule}: ${pathOf(views, key)}`),
    ...(isCalm && !made.stays && undone.code !== 0 && undone.code !== 2 ? ["cannot be undone"] : []),
    ...(again ? broughtBack(views, again) : []),
    ...(ended ? [] : [`ends with ${undone.code}`]),
  ];
}

/** Returns the rules that are broken by a value, each with the key of the value. */
function things(story: Story): [rule: string, key: string][] {
  const { made, entries, undone, views } = story;
  const { before, after, theirs, now } = views;
  const all = Object.values(views);
  const isNamed = (key: string) => namesOf(thingOf(key), all).some((word) => undone?.err.includes(word));
  // The change during which the process died is not in the log.
  const isLogged = (key: string) =>
    made.ended.code !== undefined || entries.some((entry) => sentBy(entry, key) !== undefined);
  const isOrderLogged =
    made.ended.code !== undefined || entries.some(({ operation }) => operation.endsWith(".reorder"));
  const isAllowed = (key: string) => isUnanswered(story, key) || isInMovedTopic(story, key);
  const broken = new Map<string, string | undefined>();
  for (const key of new Set(all.flatMap((each: View) => [...each.keys()]))) {
    const thing = thingOf(key);
    const isMade = isThere(after, thing) && !isThere(before, thing);
    const isRemade = after.get(`${thing}|by`) !== theirs.get(`${thing}|by`);
    const isTheirs = isRemade || theirs.get(key) !== after.get(key);
    const isBack = now.get(key) === before.get(key);
    const touched = now.get(key) !== theirs.get(key) && !isAllowed(key) && "what the second person did is touched";
    if (isContent(key) || staysInList(views, key)) continue;
    if (thing === "orders") broken.set(key, isOrderLogged ? orderRule(story, key) : undefined);
    else if (isMade && !isRemade) broken.set(`${thing}|`, madeRule(story, thing));
    else if (isTheirs) broken.set(key, touched || undefined);
    else if (!isBack && isLogged(key)) {
      if (undone?.code === 0) broken.set(key, "not given back");
      else if (now.get(key) !== after.get(key)) broken.set(key, "neither as before nor as after");
      else if (!isNamed(key)) broken.set(key, "left without a word");
    }
  }
  return [...broken].flatMap(([key, rule]) => (rule === undefined ? [] : [[rule, key]]));
}

/** What the run made is gone after an undo that ends with 0. */
function madeRule({ made, entries, undone, views: { now } }: Story, thing: string): string | undefined {
  const isKnown = made.ended.code !== undefined && entries.every(({ outcome }) => outcome !== "unknown");
  const isIn = !thing.startsWith("message ") && inUse(now, thing);
  return undone?.code === 0 && isKnown && isIn ? "still there" : undefined;
}

/** Orders are compared by what is in both, because things come and go. */
function orderRule({ undone, views }: Story, key: string): string | undefined {
  const [before, after, theirs, now] = [views.before, views.after, views.theirs, views.now].map((view): unknown[] =>
    JSON.parse(view.get(key) ?? "[]"),
  ) as [unknown[], unknown[], unknown[], unknown[]];
  const isSame = (one: unknown[], other: unknown[], ...more: unknown[][]) => {
    const shared = (list: unknown[]) => list.filter((id) => [one, other, ...more].every((each) => each.includes(id)));
    return JSON.stringify(shared(one)) === JSON.stringify(shared(other));
  };
  if (!isSame(after, theirs)) return isSame(theirs, now, after) ? undefined : "what the second person did is touched";
  if (undone?.code === 0) return isSame(before, now) ? undefined : "not given back";
  const isEither = isSame(before, now, after, theirs) || isSame(theirs, now, after, before);
  return isEither ? undefined : "neither as before nor as after";
}

/** An undo of the undo brings everything back but what is gone for good. */
function broughtBack({ after }: Views, { ended, view }: NonNullable<Story["again"]>): string[] {
  const lost = [...after.keys()].filter(
    (key) => !isContent(key) && ended.code === 0 && view.get(key) !== after.get(key),
  );
  const isOnce = [...ended.err.matchAll(/^✗ .*$/gm)].every(([line]) => once.test(line));
  return [
    ...lost.map((key) => `undo of undo: ${key}: ${after.get(key)} → ${view.get(key)}`),
    ...(ended.code && !isOnce ? [`undo of undo ends with ${ended.code}`] : []),
  ];
}
