import { describe, expect, test } from "vitest";
import { Cancelled, Unreachable } from "../../src/errors.ts";
import type { Listing, OutputForm } from "../../src/output/form.ts";
import { NoAnswer } from "../../src/world/world.ts";
import { place, printed, recording } from "./world.ts";

interface Item {
  id: number;
}

const listing = (records: Listing<Item>["records"], more: Partial<Listing<Item>> = {}): Listing<Item> => ({
  kind: "listing",
  records,
  columns: [{ head: "ID", value: ({ id }) => id }],
  id: ({ id }) => id,
  allFields: ["id"],
  ...more,
});

/** Counts the records that were read, and whether the source was closed. */
function counting(count: number, then?: unknown) {
  const source = { read: 0, closed: false, records: items() };
  async function* items(): AsyncGenerator<Item> {
    try {
      while (source.read < count) yield { id: ++source.read };
      if (then) throw then;
    } finally {
      source.closed = true;
    }
  }
  return source;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const streaming: OutputForm[] = ["ndjson", "csv", "tsv", "ids"];
const whole: OutputForm[] = ["table", "json", "yaml"];

describe.each(streaming)("%s", (form) => {
  test("joins small records into few writes", async () => {
    const world = place();
    const text = await printed(listing(counting(20_000).records), { form }, world);
    const { writes } = world.stdout;
    expect(text.match(/20000/g)).toHaveLength(1);
    expect(writes.length).toBeLessThanOrEqual(Math.ceil(text.length / 65_536));
    expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(66_000);
  });

  test("prints available records while the source is slow", async () => {
    const world = place();
    let seen = "";
    async function* slow() {
      yield { id: 1 };
      await turn().then(turn);
      seen = world.stdout.text;
      yield { id: 2 };
    }
    const text = await printed(listing(slow()), { form }, world);
    expect(seen).toContain("1");
    expect(text.startsWith(seen)).toBe(true);
    expect(text).toContain("2");
  });

  test("waits for a slow reader", async () => {
    const source = counting(100_000);
    let proceed = () => {};
    const wait = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const stdout = recording({ onWrite: () => wait });
    const printing = printed(listing(source.records), { form }, place(stdout));
    while (!stdout.writes.length) await turn();
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(source.read).toBeLessThan(50_000);
    expect(stdout.text.length).toBeLessThan(66_000);
    proceed();
    await printing;
    expect(source.read).toBe(100_000);
  });

  test("stops quietly and closes the source when the reader has gone", async () => {
    const source = counting(100_000);
    await printed(listing(source.records), { form }, place(recording({ goneAfter: 1 })));
    expect(source.closed).toBe(true);
    expect(source.read).toBeLessThan(70_000);
  });
});

const broken = "The answer of chat.example broke off.";

test.each([
  [new Unreachable(broken), 4],
  [new NoAnswer(broken, "cut", true), 4],
  [new Cancelled(broken, "SIGTERM"), 143],
])("%s says how many records were printed before", async (error, exitCode) => {
  const world = place();
  await expect(printed(listing(counting(3, error).records), { form: "csv" }, world)).rejects.toMatchObject({
    exitCode,
    message: `${broken} 3 records were printed before that.`,
    details: { more: { printed: 3 } },
  });
  expect(world.stdout.text).toBe("id\r\n1\r\n2\r\n3\r\n");
});

test("the header has all fields of the first records if nothing else names them", async () => {
  async function* source() {
    for (let id = 1; id <= 1000; id++) yield id === 200 ? { id, late: "x" } : { id };
  }
  const lines = (await printed(listing(source(), { allFields: undefined }), { form: "csv" })).split("\r\n");
  expect([lines[0], lines[200], lines[1000]]).toEqual(["id,late", "200,x", "1000,"]);
});

test.each(whole)("%s prints nothing of an answer that breaks off", async (form) => {
  const world = place();
  const cut = new Unreachable(broken);
  await expect(printed(listing(counting(1000, cut).records), { form }, world)).rejects.toBe(cut);
  expect(cut.message).toBe(broken);
  expect(world.stdout.writes).toEqual([]);
});

describe("a stdout that cannot be written", () => {
  const full = () => place(recording({ onWrite: () => Promise.reject(new Error("ENOSPC: no space left on device")) }));
  const failed = "ENOSPC: no space left on device";

  test.each([...streaming, ...whole])("ends a read in %s with 4", async (form) => {
    await expect(printed(listing([{ id: 1 }]), { form }, full())).rejects.toMatchObject({
      exitCode: 4,
      message: `cannot write the result to stdout: ${failed}`,
    });
  });

  test("ends a change with 5, and the error has the answer", async () => {
    const change = { kind: "change" as const, sentence: "Created folder 7.", answer: { id: 7 }, ids: [7] };
    await expect(printed(change, { form: "json" }, full())).rejects.toMatchObject({
      exitCode: 5,
      message: `The change was made, but the result could not be printed: ${failed}`,
      details: { more: { answer: { id: 7 } } },
    });
  });

  test.each([
    ["fails", full, 4],
    ["has no reader anymore", () => place(recording({ goneAfter: 1 })), undefined],
  ])("does not stop a change when it %s", async (_, world, exitCode) => {
    const source = counting(50_000);
    const printing = printed(listing(source.records, { readsToEnd: true }), { form: "ndjson" }, world());
    const error = await printing.then(() => undefined).catch((reason) => reason);
    expect([source.read, error?.exitCode]).toEqual([50_000, exitCode]);
  });
});
