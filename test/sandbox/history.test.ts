import { expect, test } from "vitest";
import { sortedJson } from "./client.ts";
import { Observer, readHistory } from "./history.ts";
import type { Json, Members } from "./history-names.ts";

const texts = new WeakMap<object, string>();

/** The JSON of a record, which is compared with the one before and the one after. */
function textOf(record: Json | undefined): string | undefined {
  if (record === null || typeof record !== "object") return JSON.stringify(record);
  const text = texts.get(record) ?? sortedJson(record);
  texts.set(record, text);
  return text;
}

/** The records of `now` that differ from `before`; null for those that are gone. */
const changes = (before: Members, now: Members): Members =>
  Object.fromEntries(
    Object.keys({ ...before, ...now })
      .filter((name) => textOf(before[name]) !== textOf(now[name]))
      .map((name) => [name, now[name] ?? null]),
  );

/** Members that the first form omits. */
const omittedMembers = new Set(["creator_id", "id", "timestamp"]);
const asInFirstForm = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (name, each) => (omittedMembers.has(name) ? undefined : each)));

const names = [
  ...Array.from({ length: 18 }, (_, index) => `open-${index + 1}`),
  ...Array.from({ length: 4 }, (_, index) => `open-468-${index + 1}`),
];

/** Calls with another answer, and why. */
const reasons: { readonly [history: string]: readonly (readonly [why: string, step: number])[] } = {
  "open-468-4": [["the first unread message is one of Welcome Bot, which sends none in the sandbox", 60]],
};

test.each(names)("answers history %s like the real server, with the same state afterwards", async (name) => {
  const { world, level, form, start, steps } = readHistory(name);
  const observer = new Observer(world, { level });
  const comparable = form === 1 ? asInFirstForm : (value: unknown) => value;
  let before = await observer.readOrganization();
  if (form === 2) expect(changes(start, before)).toEqual({});
  const differences: { step: number; call: unknown; here: unknown }[] = [];
  for (const [index, step] of steps.entries()) {
    const { status, body, changed = {} } = step;
    const { now, ...answer } = await observer.replay(step, before);
    const changedHere = changes(before, now);
    before = now;
    // If the real server failed, only the state afterwards is compared.
    const agrees = status === 500 || sortedJson(comparable(answer)) === sortedJson(comparable({ status, body }));
    if (!agrees || (form === 2 && sortedJson(changedHere) !== sortedJson(changed)))
      differences.push({ step: index + 1, call: step, here: { ...answer, changed: changedHere } });
  }
  const explained = (reasons[name] ?? []).map(([, step]) => step);
  expect(differences.filter(({ step }) => !explained.includes(step))).toEqual([]);
  expect(differences.map(({ step }) => step)).toEqual(explained);
});
