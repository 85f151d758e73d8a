import { describe, expect, test } from "vitest";
import { Cancelled, Unreachable } from "../../src/errors.ts";
import type { Form, Listing } from "../../src/output/form.ts";
import { print } from "../../src/output/present.ts";
import { NoAnswer } from "../../src/world.ts";
import { place, recording } from "./world.ts";

interface Item {
  id: number;
}

const listing = (records: Listing<Item>["records"], more: Partial<Listing<Item>> = {}): Listing<Item> => ({
  kind: "listing",
  records,
  columns: [{ head: "ID", value: ({ id }) => id }],
  id: ({ id }) => id,
  known: ["id"],
  ...more,
});

async function* counted(count: number, then?: unknown): AsyncGenerator<Item> {
  for (let id = 1; id <= count; id++) yield { id };
  if (then) throw then;
}

const streaming: Form[] = ["ndjson", "csv", "tsv", "ids"];
const whole: Form[] = ["table", "json", "yaml"];
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("forms that print records as they arrive", () => {
  test.each(streaming)("%s gathers small records into few writes", async (form) => {
    const world = place();
    await print(listing(counted(20_000)), { form, color: "auto" }, world);
    const { writes, text } = world.stdout;
    expect(text.match(/20000/g)).toHaveLength(1);
    expect(writes.length).toBeLessThanOrEqual(Math.ceil(text.length / 65_536));
    expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(66_000);
  });

  test.each(streaming)("%s prints what is there while the source is slow", async (form) => {
    const world = place();
    let seen = "";
    async function* slow() {
      yield { id: 1 };
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      seen = world.stdout.text;
      yield { id: 2 };
    }
    await print(listing(slow()), { form, color: "auto" }, world);
    expect(seen).toContain("1");
    expect(world.stdout.text.startsWith(seen)).toBe(true);
    expect(world.stdout.text).toContain("2");
  });

  test.each(streaming)("%s waits for a slow reader before it takes more", async (form) => {
    let taken = 0;
    async function* source() {
      for (let id = 1_000_000; id < 1_100_000; id++) {
        taken++;
        yield { id };
      }
    }
    let proceed = () => {};
    const turn = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const stdout = recording({ onWrite: () => turn });
    const printing = print(listing(source()), { form, color: "auto" }, place(stdout));
    while (!stdout.writes.length) await new Promise((resolve) => setImmediate(resolve));
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    const { length } = stdout.text;
    expect(taken).toBeLessThan(50_000);
    expect(length).toBeLessThan(66_000);
    proceed();
    await printing;
    expect(taken).toBe(100_000);
  });

  test.each(streaming)("%s stops quietly, and ends the source, where the reader has gone", async (form) => {
    let ended = false;
    let taken = 0;
    async function* source() {
      try {
        for (; taken < 100_000; taken++) yield { id: taken };
      } finally {
        ended = true;
      }
    }
    const world = place(recording({ goneAfter: 1 }));
    await print(listing(source()), { form, color: "auto" }, world);
    expect(ended).toBe(true);
    expect(taken).toBeLessThan(70_000);
  });

  const message = "The answer of chat.example broke off.";
  test.each([
    ["a failure", new Unreachable(message), 4, "3 records were printed before that."],
    ["a connection that ended", new NoAnswer(message, "cut", true), 4, "3 records were printed before that."],
    ["a signal", new Cancelled(message, "SIGTERM"), 143, "3 records were printed before that."],
  ])("%s says how many records were printed before it", async (_, cut, exitCode, more) => {
    const world = place();
    const error = await failure(print(listing(counted(3, cut)), { form: "csv", color: "auto" }, world));
    expect(error).toMatchObject({ exitCode, message: `${message} ${more}`, details: { more: { printed: 3 } } });
    expect(world.stdout.text).toBe("id\r\n1\r\n2\r\n3\r\n");
  });

  test("a header that only the records can tell takes every field of the first of them", async () => {
    async function* source() {
      for (let id = 1; id <= 1000; id++) yield id === 200 ? { id, late: "x" } : { id };
    }
    const world = place();
    await print(listing(source(), { known: undefined }), { form: "csv", color: "auto" }, world);
    const lines = world.stdout.text.split("\r\n");
    expect(lines[0]).toBe("id,late");
    expect(lines[200]).toBe("200,x");
    expect(lines[1000]).toBe("1000,");
  });
});

describe("forms that print a whole answer or nothing", () => {
  test.each(whole)("%s prints nothing of an answer that breaks off", async (form) => {
    const world = place();
    const cut = new Unreachable("The answer broke off.");
    expect(await failure(print(listing(counted(1000, cut)), { form, color: "auto" }, world))).toBe(cut);
    expect(cut.message).toBe("The answer broke off.");
    expect(world.stdout.writes).toEqual([]);
  });
});

describe("a stdout that cannot be written", () => {
  const full = () =>
    recording({
      onWrite: async () => {
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      },
    });

  test.each([...streaming, ...whole])("ends a read in %s with 4", async (form) => {
    expect(await failure(print(listing([{ id: 1 }]), { form, color: "auto" }, place(full())))).toMatchObject({
      exitCode: 4,
      message: "cannot write the result to stdout: ENOSPC: no space left on device, write",
    });
  });

  test("ends a change with 5, which says what was done", async () => {
    const change = { kind: "change", sentence: "Created folder 7.", answer: { id: 7 }, ids: [7] } as const;
    expect(await failure(print({ ...change, ids: [7] }, { form: "json", color: "auto" }, place(full())))).toMatchObject(
      {
        exitCode: 5,
        message: "The change was made, but the result could not be printed: ENOSPC: no space left on device, write",
        details: { more: { answer: { id: 7 } } },
      },
    );
  });

  test.each([
    ["cannot be written", full, 4],
    ["has lost its reader", () => recording({ goneAfter: 1 }), undefined],
  ])("that %s does not stop a change at work", async (_, stdout, exitCode) => {
    let taken = 0;
    async function* source() {
      for (; taken < 50_000; taken++) yield { id: taken };
    }
    const printing = print(listing(source(), { persists: true }), { form: "ndjson", color: "auto" }, place(stdout()));
    const error = await failure(printing);
    expect([taken, Object(error).exitCode]).toEqual([50_000, exitCode]);
  });
});
