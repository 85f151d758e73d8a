import { chmodSync, lchownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { distrustReason } from "../../src/node/trusted.ts";
import { directory } from "./directory.ts";

/** Makes nested directories with these modes, and returns the last. */
function made(...below: [name: string, mode: number][]): string {
  let at = directory();
  for (const [name, mode] of below) {
    at = join(at, name);
    mkdirSync(at);
    chmodSync(at, mode);
  }
  return at;
}

const missing = (at: string) => join(at, "not", "there", "yet");

test("trusts a directory of this user, even a missing one", () => {
  const at = made(["a", 0o755], ["b", 0o700]);
  expect([distrustReason(at), distrustReason(missing(at)), distrustReason("/")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("does not trust a directory below one that others can write to", () => {
  const at = made(["a", 0o777], ["b", 0o700], ["c", 0o700]);
  const reason = `others can write to ${join(at, "../..")}`;
  expect([distrustReason(at), distrustReason(missing(at)), distrustReason(join(at, "../.."))]).toEqual([
    reason,
    reason,
    reason,
  ]);
});

test("trusts a directory of this user in a sticky directory", () => {
  expect(distrustReason(made(["a", 0o1777], ["b", 0o700]))).toBeUndefined();
});

test("follows links, and checks both ends", () => {
  const good = made(["a", 0o755]);
  const bad = made(["a", 0o777]);
  symlinkSync(good, join(good, "to-good"));
  symlinkSync(bad, join(good, "to-bad"));
  symlinkSync(good, join(bad, "to-good"));
  symlinkSync("loop", join(good, "loop"));
  expect(
    [join(good, "to-good"), join(good, "to-bad"), join(bad, "to-good"), join(good, "loop")].map(distrustReason),
  ).toEqual([
    undefined,
    `others can write to ${bad}`,
    `others can write to ${bad}`,
    `${join(good, "loop")} leads through too many links`,
  ]);
});

describe.runIf(process.getuid?.() === 0)("seen by root", () => {
  const other = 4711;

  test("does not trust a directory of another user, even in a sticky directory", () => {
    const at = made(["a", 0o1777], ["b", 0o700]);
    lchownSync(at, other, other);
    expect(distrustReason(missing(at))).toBe(`${at} belongs to another user (uid ${other})`);
  });

  test("does not trust a link of another user", () => {
    const at = made(["a", 0o1777]);
    symlinkSync(made(["b", 0o700]), join(at, "link"));
    lchownSync(join(at, "link"), other, other);
    expect(distrustReason(join(at, "link"))).toBe(`${join(at, "link")} belongs to another user (uid ${other})`);
  });

  test("does not trust a directory that another group can write to", () => {
    const at = made(["a", 0o775]);
    expect(distrustReason(at)).toBeUndefined();
    lchownSync(at, 0, other);
    expect(distrustReason(at)).toBe(`the members of a group can write to ${at}`);
  });
});
