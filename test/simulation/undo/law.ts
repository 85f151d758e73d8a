/** The rules of undo, and what a story broke of them. */
import type { Story, Views } from "./story.ts";
import { inUse, namesOf, thingOf, type View } from "./view.ts";

/** What an undo takes away for good. */
const once = /invited again|uploaded again|deleted profile field|private channel without subscribers/;

/** What stays by design: messages that were written, and what is told only to its owner. */
const ignored = (key: string) => key.startsWith("message ") && key.endsWith("|content");

/** A person who was created stays in the lists of the deactivated account. */
const isOfNewPerson = (key: string, before: View): boolean => {
  const [, id] = /\|(?:subscriber|member) (\d+)$/.exec(key) ?? [];
  return id !== undefined && !before.has(`user ${id}|role`);
};

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
function things({ made, undone, others, hasFaults, views }: Story): [rule: string, key: string][] {
  const broken: [string, string][] = [];
  const { before, after, theirs, now } = views;
  const all = Object.values(views);
  const isDead = made.ended.code === undefined;
  const isNamed = (key: string) => namesOf(thingOf(key), all).some((word) => undone?.err.includes(word));
  const gone = new Set<string>();
  for (const key of new Set(all.flatMap((each: View) => [...each.keys()]))) {
    const tell = (rule: string) => broken.push([rule, key]);
    const thing = thingOf(key);
    if (ignored(key) || isOfNewPerson(key, before) || (thing === "orders" && others.length)) continue;
    if (!inUse(before, thing) && !isThere(before, thing) && isThere(after, thing)) gone.add(thing);
    else if (theirs.get(key) !== after.get(key)) {
      // Without an answer, nobody can tell who set the value that the run sent.
      const isOpen = made.ended.code === 7 && now.get(key) === before.get(key);
      if (now.get(key) !== theirs.get(key) && !isOpen) tell("what the second person did is touched");
    } else if (now.get(key) !== before.get(key)) {
      if (isDead) continue;
      if (undone?.code === 0) tell("not given back");
      else if (thing === "orders") continue;
      else if (now.get(key) !== after.get(key)) tell("neither as before nor as after");
      else if (!isNamed(key)) tell("left without a word");
    }
  }
  if (undone?.code === 0 && !isDead && !hasFaults)
    for (const thing of gone)
      if (!thing.startsWith("message") && inUse(now, thing)) broken.push(["still there", `${thing}|`]);
  return broken;
}

/** An undo of the undo brings everything back but what is gone for good. */
function broughtBack({ before, after }: Views, { ended, view }: NonNullable<Story["again"]>): string[] {
  // The server wrote and deleted it.
  const isNotice = (key: string) => key.startsWith("message ") && !before.has(key);
  const lost = [...after.keys()].filter(
    (key) => !ignored(key) && !isNotice(key) && ended.code === 0 && view.get(key) !== after.get(key),
  );
  const isOnce = [...ended.err.matchAll(/^✗ .*$/gm)].every(([line]) => once.test(line));
  return [
    ...lost.map((key) => `undo of undo: ${key}: ${after.get(key)} → ${view.get(key)}`),
    ...(ended.code && !isOnce ? [`undo of undo ends with ${ended.code}`] : []),
  ];
}
