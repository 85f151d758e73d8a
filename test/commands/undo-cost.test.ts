/** What the record of old values costs: reads before the changes. */
import { describe, expect, test } from "vitest";
import { credentials, fresh, zulipctl } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";
import { Chance } from "../simulation/chance.ts";
import { changeBy, files } from "../simulation/undo/changes.ts";
import { prepared } from "../simulation/undo/runs.ts";

const organization = async () => fresh({ state: structuredClone(await prepared) });

/** Returns the reads of a run by kind. */
async function readsOf(argv: readonly string[], input = ""): Promise<string[]> {
  const sandbox = await organization();
  const all = new Map([...files(pictures.png), ["/files/input", input] as const]);
  const { sent } = await zulipctl([...argv, "--yes"], { sandbox, env: credentials(sandbox), files: all });
  return sent.flatMap(({ method, url }) => {
    const { pathname } = new URL(url);
    return method === "GET" || pathname.endsWith("/register") ? [pathname.replace("/api/v1/", "")] : [];
  });
}

/** Returns the reads that a run makes only for the record. */
async function moreReads(argv: readonly string[], input?: string): Promise<string[]> {
  const more = await readsOf(argv, input);
  for (const each of await readsOf([...argv, "--no-record"], input)) {
    const at = more.indexOf(each);
    if (at >= 0) more.splice(at, 1);
  }
  return more.sort();
}

describe("the record of old values reads", () => {
  test.each<[string, string[], string[]]>([
    ["one channel by its id", ["channel", "update", "1", "--description", "x"], ["streams"]],
    ["nothing for a channel by its name", ["channel", "update", "design", "--description", "x"], []],
    ["nothing for members", ["group", "members", "writers", "--add", "adam@sandbox.example"], []],
    ["nothing for subscribers", ["channel", "subscribers", "design", "--add", "adam@sandbox.example"], []],
    ["the invitations after one", ["invite", "add", "x@x.example", "--channel", "general"], ["invites"]],
    ["nothing for a linkifier", ["linkifier", "add", "X-(?P<id>[0-9]+)", "https://x.example/{id}"], []],
    ["nothing for a message", ["messages", "send", "--channel", "general", "--topic", "t", "--content", "x"], []],
    ["nothing for drafts", ["drafts", "add", "--content", "x"], []],
    ["the drafts once", ["drafts", "rm", "1", "2"], ["drafts"]],
    ["people once", ["users", "deactivate", "otis@sandbox.example", "cora@sandbox.example"], []],
    ["the organization once", ["channel", "archive", "design", "general"], ["register"]],
    ["whether a channel was archived", ["channel", "archive", "1", "2"], ["register", "streams"]],
    ["playgrounds once", ["playground", "rm", "1", "2"], ["register"]],
  ])("%s", async (_, argv, reads) => {
    expect(await moreReads(argv)).toEqual(reads);
  });

  test("the invitations once for a batch", async () => {
    const rows = ["x", "y"].map((name) => `invite add ${name}@x.example --channel general\n`).join("");
    const more = await moreReads(["batch", "/files/input", "--format", "lines"], rows);
    expect(more.filter((each) => each === "invites")).toHaveLength(1);
  });

  test("each kind once for org apply", async () => {
    const { out } = await zulipctl(["org", "export"], { sandbox: await organization() });
    const edited = out.replaceAll(/description: .*/g, "description: x").replace("https://p.", "https://q.");
    const more = await moreReads(["org", "apply", "/files/input"], edited);
    // Settings and playgrounds are two parts of the organization.
    expect(more).toEqual(["channel_folders", "register", "register", "streams", "user_groups"]);
  });

  test("at most once of each kind in a batch", async () => {
    const kinds = /^(streams|users|user_groups|channel_folders|drafts|realm\/\w+|invites)$/;
    for (let seed = 1; seed <= 30; seed++) {
      const chance = new Chance(seed);
      const lines = Array.from({ length: 12 }, (_, n) => changeBy(chance, n, "batch").words);
      const input = lines.map((words) => words.map((word) => `'${word}'`).join(" ")).join("\n");
      const more = await moreReads(["batch", "/files/input", "--format", "lines", "--skip-invalid"], input);
      const counted = more.filter((each) => kinds.test(each));
      expect(counted, `seed ${seed}\n${input}`).toEqual([...new Set(counted)]);
    }
  });
});
