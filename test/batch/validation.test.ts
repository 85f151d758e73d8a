/** Rows that were examined are sent as they were examined. */
import { expect, test } from "vitest";
import type { Item } from "../../src/batch/reader.ts";
import { type Found, Validation } from "../../src/batch/validation.ts";
import type { Change } from "../../src/engine/change.ts";

/** A validation of so many rows; `read` and `made` are the rows that were read and made out, in this order. */
function examination(count: number) {
  const [read, made]: [number[], number[]] = [[], []];
  async function* rows(): AsyncGenerator<Item> {
    for (let row = 1; row <= count; row++) {
      read.push(row);
      yield { row, line: row + 1, raw: `${row}`, command: [{ text: `${row}` }] };
    }
  }
  const make = async ([word]: readonly string[]): Promise<Change[]> => {
    made.push(Number(word));
    return [{ target: word } as Change];
  };
  const knows = { memberships: { examine: () => undefined }, values: { learn: () => undefined } };
  const world = { signals: { stop: new AbortController().signal } };
  const all = new Validation("rows.csv", { rows } as never, make, knows as never, world as never);
  return { all, read, made };
}

async function again(all: Validation): Promise<Found[]> {
  const found: Found[] = [];
  for await (const each of all.again()) found.push(each);
  return found;
}

const targets = (found: readonly Found[]) =>
  found.flatMap(({ row, changes: [change] }) => [row, Number(change?.target)]);
const counting = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("what is remembered whole is neither read nor made out once more", async () => {
  const { all, read, made } = examination(600);
  await all.run(new Set(), () => false);
  const found = await again(all);
  expect(targets(found)).toEqual(counting(600).flatMap((row) => [row, row]));
  expect([read, made]).toEqual([counting(600), counting(600)]);
  expect(targets(await again(all))).toEqual(targets(found));
  expect(made).toHaveLength(1200);
});

test("rows that are too many to be remembered are read once more, and those beyond are made out anew", async () => {
  const { all, read, made } = examination(10_050);
  await all.run(new Set(), () => false);
  expect(targets(await again(all))).toEqual(counting(10_050).flatMap((row) => [row, row]));
  expect(read).toHaveLength(20_100);
  expect(made.slice(10_050)).toEqual(counting(10_050).slice(10_000));
});
