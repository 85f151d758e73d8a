/** A dry run ends as the run would, up to the sending: every guard refuses it with the same words and the same code. */
import { expect, test } from "vitest";
import { fresh, type Options, zulipctl } from "../run.ts";

interface Guarded extends Options {
  code: 1 | 2;
  /** Commands that run first. */
  first?: string[][];
  /** So many more people, with ids from 16 on. */
  people?: number;
}

const file = (name: string, text: string) => new Map([[name, text]]);
/** Calls that only read, whatever their method. */
const reads = /\/(register|events)\b/;

const many = Array.from({ length: 25 }, (_, n) => `m${n}\n`).join("");

const crowd = Array.from({ length: 20 }, (_, n) => 16 + n).join(",");
const inMakers = [["group", "members", "makers", "--add", crowd]];
const inDesign = [["channel", "subscribers", "design", "--add", crowd]];

const guarded: Record<string, Guarded> = {
  "group members makers --set -": { code: 2, input: "" },
  "group members makers --set @none --yes": { code: 2, files: file("none", "# nobody\n") },
  "group members makers --set-subgroups ,": { code: 2 },
  "group members makers --set-subgroups @none": { code: 2, files: file("none", "\n") },
  "channel subscribers council --set -": { code: 2, input: "" },
  "batch r.csv -- channel subscribers {channel} --set {people}": {
    code: 2,
    files: file("r.csv", "channel,people\ncouncil,\n"),
  },
  "org apply o.yaml --no-verify": {
    code: 2,
    files: file("o.yaml", "channels: [{ name: council, subscribers: [] }]\n"),
  },
  "group members makers --set 12": { code: 2, people: 20, first: inMakers },
  "group members makers --set 12 --max-removals 5": { code: 2, people: 20, first: inMakers },
  "group members makers --set 12 --max-removals 50%": { code: 2, people: 20, first: inMakers },
  "group members makers --set - --allow-empty --max-removals 5": { code: 2, people: 20, first: inMakers, input: "" },
  "channel subscribers design,general --set 12": { code: 2, people: 20, first: inDesign },
  "batch r.csv -- group members {group} --set {people}": {
    code: 2,
    people: 20,
    first: inMakers,
    files: file("r.csv", "group,people\nmakers,12\n"),
  },
  "users update me --role member": { code: 2 },
  "users update 8 --role guest": { code: 2 },
  "users update 12 --role owner": { code: 1, as: 200 },
  "users update 12 --role administrator": { code: 1, as: 300 },
  "users deactivate me": { code: 2 },
  "users deactivate 8 12": { code: 2, as: 200 },
  "users offboard me --to 11": { code: 2 },
  "users offboard 8 --to 11": { code: 2, as: 200 },
  "invite add x@example.org --role owner": { code: 1, as: 200 },
  "invite link --role administrator": { code: 1, as: 300 },
  "api PATCH users/8 -F role=400": { code: 2 },
  "api PATCH users/iris@sandbox.example -f role=400": { code: 2 },
  "api DELETE users/me": { code: 2 },
  "api DELETE users/8": { code: 2 },
  "api DELETE users/%38": { code: 2 },
  "api DELETE user%73/%6De": { code: 2 },
  "api PATCH users/%38 -F role=400": { code: 2 },
  "channel update 1 --folder none": { code: 1, level: 371 },
  "folder create x": { code: 1, level: 371 },
  "channel update 1 --description x --can-create-topic-group 12": { code: 1, level: 371 },
  "linkifier add ( https://example.com": { code: 2 },
  "linkifier add x https://example.com --sample y": { code: 2 },
  "batch r.csv -- users update {id} --role {role}": { code: 2, files: file("r.csv", "id,role\n12,guest\n8,member\n") },
  "batch r.csv -- users deactivate {id}": { code: 2, files: file("r.csv", "id\n12\n8\n") },
  "batch r.csv -- invite add {email} --role owner": {
    code: 1,
    as: 200,
    files: file("r.csv", "email\na@example.org\n"),
  },
  "messages delete --narrow topic:many": {
    code: 2,
    files: file("r.csv", `content\n${many}`),
    first: [
      ["batch", "r.csv", "--", "messages", "send", "--channel", "general", "--topic", "many", "--content", "{content}"],
    ],
  },
  "topic delete general many": {
    code: 2,
    files: file("r.csv", `content\n${many}`),
    first: [
      ["batch", "r.csv", "--", "messages", "send", "--channel", "general", "--topic", "many", "--content", "{content}"],
    ],
  },
  "org apply o.yaml": { code: 2, files: file("o.yaml", "people: [{ email: iris@sandbox.example, role: member }]\n") },
  "org apply o.yaml --prune": { code: 2, files: file("o.yaml", "groups: [{ name: makers, subgroups: [] }]\n") },
};

test.each(Object.entries(guarded))("%s", async (typed, { code, first = [], level, people, ...options }) => {
  const sandbox = fresh({ ...(level !== undefined && { level }), ...(people !== undefined && { users: people }) });
  const run = async (argv: readonly string[]) => {
    const { code, err, sent } = await zulipctl([...argv], { ...options, sandbox });
    return { code, err, changes: sent.filter(({ method, url }) => method !== "GET" && !reads.test(url)).length };
  };
  for (const argv of first) await run(argv);
  const [noun = "", ...words] = typed.split(" ");
  const real = await run([noun, words[0] ?? "", "--yes", ...words.slice(1)]);
  expect(real).toEqual({ code, err: real.err, changes: 0 });
  const dry = await run([noun, words[0] ?? "", "--dry-run", ...words.slice(1)]);
  expect(dry).toEqual(real);
});

test("--diff only shows", async () => {
  const { code, out } = await zulipctl(["users", "update", "me", "--role", "member", "--diff"]);
  expect({ code, out }).toEqual({ code: 0, out: "role: owner → member\n" });
});
