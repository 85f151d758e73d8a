import { expect, test } from "vitest";
import { Sets } from "../../../src/permissions/report/cells.ts";
import fc from "../../property.ts";

/** As the head of `sets.ts` says that they are written. */
function read(texts: readonly string[], number: number, size: number): boolean[] {
  const [near, own] = texts[number]!.includes("^") ? texts[number]!.split("^") : [undefined, texts[number]!];
  const told = own!.startsWith(".")
    ? [...Buffer.from(own!.slice(1), "base64")].flatMap((byte) =>
        [...Array(8).keys()].map((n) => ((byte >> n) & 1) === 1),
      )
    : own!.split(" ").flatMap((run, n) => Array<boolean>(Number.parseInt(run || "0", 36)).fill(n % 2 === 1));
  const bits = [...Array(size).keys()].map((n) => told[n] ?? false);
  const other = near === undefined ? undefined : read(texts, Number.parseInt(near, 36), size);
  return bits.map((bit, n) => bit !== (other?.[n] ?? false));
}

const bytesOf = (bits: readonly boolean[]): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [n, bit] of bits.entries()) if (bit) bytes[n >> 3]! |= 1 << (n & 7);
  return bytes;
};

test("sets are read back as they were, whatever they are told by", () => {
  const size = 100;
  const runs = fc
    .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 })), { minLength: 0, maxLength: 8 })
    .map((parts) =>
      [...Array(size).keys()].map(
        (n) => parts.flatMap(([bit, length]) => Array<boolean>(length).fill(bit))[n] ?? false,
      ),
    );
  const any = fc.array(fc.boolean(), { minLength: size, maxLength: size });
  fc.assert(
    fc.property(fc.array(fc.oneof(runs, any), { minLength: 1, maxLength: 12 }), (all) => {
      const sets = new Sets();
      const numbers: number[] = [];
      for (const bits of all) numbers.push(sets.number(bytesOf(bits), numbers));
      expect(numbers.map((number) => read(sets.texts, number, size))).toEqual(all);
      expect(sets.texts.length).toBe(new Set(all.map(String)).size);
    }),
    { numRuns: 50 },
  );
});

test("a set that nearly is another is told by it", () => {
  const sets = new Sets();
  const random = [...Array(800).keys()].map((n) => (n * n * 7919) % 13 < 6);
  const first = sets.number(bytesOf(random), []);
  const second = sets.number(bytesOf(random.map((bit, n) => (n === 17 ? !bit : bit))), [first]);
  expect(sets.texts[second]).toBe("0^h 1");
});
