/**
 * Compares the interface for scripts with the record of each release in `test/data/release`. Only a major version may
 * remove anything. `npm run release:record` records the present interface under the version of package.json.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Files, readAgain, writeFiles } from "./files.ts";
import { type Interface, interfaceOf } from "./interface.ts";
import { findLosses } from "./lost.ts";

const place = "test/data/release";
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const present = await interfaceOf(version);

const folder = (release: string) => join(place, release);
const recorded = (release: string) =>
  JSON.parse(readFileSync(join(folder(release), "interface.json"), "utf8")) as Interface;

/** Published releases are not recorded again. */
async function record(): Promise<void> {
  const tagged = execFileSync("git", ["tag", "--list", `v${version}`], { encoding: "utf8" }).trim();
  if (tagged) throw new Error(`version ${version} is released: give package.json the next number`);
  mkdirSync(folder(version), { recursive: true });
  writeFileSync(join(folder(version), "interface.json"), `${JSON.stringify(present, null, 1)}\n`);
  for (const [name, text] of await writeFiles()) writeFileSync(join(folder(version), name), text);
}

if (process.env.npm_lifecycle_event === "release:record") await record();

const major = (release: string) => release.split(".")[0];
const allReleases = existsSync(place) ? readdirSync(place).sort() : [];
const releases = allReleases.filter((release) => major(release) === major(version));

test("has a record of this major version", () => {
  expect(releases).not.toEqual([]);
});

describe.each(releases)("of release %s", (release) => {
  test("keeps every command, flag, exit code and member of JSON", () => {
    expect(findLosses(recorded(release), present)).toEqual([]);
  });

  test("reads the recorded files with the same result", async () => {
    const files: Files = new Map(
      readdirSync(folder(release)).map((name) => [name, readFileSync(join(folder(release), name), "utf8")]),
    );
    expect(await readAgain(files)).toEqual({
      compared: expect.stringMatching(/^https:\/\/chat\.example matches the file\./),
      description: "Drafts",
      created: ["name=Two", "name=Three"].map((body) => expect.stringContaining(body)),
    });
  });
});

describe("finding losses", () => {
  /** Returns a changed copy of the present interface. */
  const without = (change: (copy: Draft<Interface>) => unknown): string[] => {
    const copy = structuredClone(present) as Draft<Interface>;
    change(copy);
    return findLosses(present, copy);
  };

  test("finds none if everything is there, or more", () => {
    expect(without(() => undefined)).toEqual([]);
    const more = without((now) => {
      now.commands["channel burn"] = { arguments: [{ value: "channel", required: true }], flags: {} };
      now.commands["channel list"]!.flags["--more"] = { value: "text" };
      now.commands["channel list"]!.arguments.push({ value: "text" });
      now.commands["users update"]!.flags["--role"]!.choices!.push("emperor");
      now.results["channel list"]!["[].more"] = "string";
      now.results["channel list"]!["[].name"] = "null|string";
      now.exit_codes.tired = 9;
    });
    expect(more).toEqual([]);
  });

  test.each<[string, (now: Draft<Interface>) => unknown]>([
    ["commands channel list", (now) => delete now.commands["channel list"]],
    ["commands channel list flags --archived", (now) => delete now.commands["channel list"]!.flags["--archived"]],
    [
      "commands channel list flags --archived value: text",
      (now) => (now.commands["channel list"]!.flags["--archived"] = { value: "text" }),
    ],
    [
      "commands channel archive arguments 0 repeats: true",
      (now) => delete now.commands["channel archive"]!.arguments[0]!.repeats,
    ],
    [
      "commands users update flags --role choices: guest",
      ({ commands }) => {
        const word = commands["users update"]!.flags["--role"]!;
        word.choices = word.choices!.filter((choice) => choice !== "guest");
      },
    ],
    [
      "commands folder create flags --color required: true",
      (now) => (now.commands["folder create"]!.flags["--color"] = { value: "text", required: true }),
    ],
    [
      "commands folder create arguments 1 required: true",
      (now) => now.commands["folder create"]!.arguments.push({ value: "text", required: true }),
    ],
    ["flags --profile required: true", (now) => (now.flags["--profile"]!.required = true)],
    ["flags --dry-run short: -n", (now) => delete now.flags["--dry-run"]!.short],
    ["other_names channel: stream", (now) => (now.other_names.channel = ["channels", "streams"])],
    ["exit_codes unknown: 7", (now) => (now.exit_codes.unknown = 4)],
    ["environment: ZULIP_API_KEY", (now) => now.environment.splice(now.environment.indexOf("ZULIP_API_KEY"), 1)],
    ["results channel list [].name: string", (now) => delete now.results["channel list"]!["[].name"]],
    ["results channel list [].name: string", (now) => (now.results["channel list"]!["[].name"] = "number")],
    ["error .error.exit_code: number", (now) => delete now.error[".error.exit_code"]],
    ["dry_run [].operation: string", (now) => delete now.dry_run["[].operation"]],
    ["organization_file .channels[].name: string", (now) => delete now.organization_file[".channels[].name"]],
  ])("%s", (says, change) => {
    expect(without(change)).toEqual([says]);
  });
});

type Draft<T> = T extends object ? { -readonly [K in keyof T]: Draft<T[K]> } : T;
