/** `org apply` of what was made without an answer, and has another name when the run is gone on with. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, site, zulipctl } from "../../run.ts";
import { changing, dying, filesOf } from "./applying.ts";

type State = Sandbox["state"];

interface Kind {
  readonly section: string;
  readonly entry: object;
  /** The last one that there is. */
  readonly last: (state: State) => { name?: string; pattern?: string };
  /** By somebody else, or otherwise than the plan has it where nobody knows by whom. */
  readonly theirs: (thing: object) => void;
}

const lastOf = <T>(all: Iterable<T>): T => [...all].at(-1)!;
const byAnother = (thing: object) => void Object.assign(thing, { creator_id: 9 });

const kinds: Kind[] = [
  {
    section: "channels",
    entry: { name: "deck", description: "Cards" },
    last: ({ channels }) => lastOf(channels.values()),
    theirs: byAnother,
  },
  {
    section: "groups",
    entry: { name: "crew", description: "All", members: ["otis@sandbox.example"] },
    last: ({ groups }) => lastOf(groups.values()),
    theirs: byAnother,
  },
  {
    section: "folders",
    entry: { name: "Work", description: "What is done" },
    last: ({ folders }) => lastOf(folders.values()),
    theirs: byAnother,
  },
  {
    section: "linkifiers",
    entry: { pattern: "X(?P<id>[0-9]+)", url_template: "https://x.example/{id}" },
    last: ({ linkifiers }) => lastOf(linkifiers),
    theirs: (thing) => void Object.assign(thing, { url_template: "https://theirs.example/{id}" }),
  },
  {
    section: "profile_fields",
    entry: { name: "Team", type: "short_text", hint: "Yours" },
    last: ({ profile_fields }) => lastOf(profile_fields),
    theirs: (thing) => void Object.assign(thing, { hint: "Theirs" }),
  },
];

const called = ({ name, pattern }: { name?: string; pattern?: string }): string => (pattern ?? name)!;

function rename(thing: { name?: string; pattern?: string }): void {
  if (thing.pattern === undefined) thing.name = "theirs";
  else thing.pattern = "THEIRS(?P<id>[0-9]+)";
}

/** The one request of the run is done, or lost on the way, and its answer does not come; then `work` happens. */
async function goneOn({ section, entry }: Kind, last: "lost" | "done", work: (state: State) => void) {
  const sandbox = fresh();
  const files = filesOf(JSON.stringify({ [section]: [entry] }), "organization.json");
  const line = ["org", "apply", "--yes", "organization.json", "--journal", "run.jsonl"];
  const first = await zulipctl(line, { sandbox, files, http: dying(sandbox, 0, { last }) });
  expect(first.code).toBe(7);
  work(sandbox.state);
  const resumed = await zulipctl(["org", "apply", "--yes", "--resume", "run.jsonl"], { sandbox, files });
  return { ...resumed, sent: changing(resumed.sent), sandbox };
}

describe.each(kinds)("of $section", (kind) => {
  const { last, theirs, entry } = kind;

  test("what was made and has another name is not made again, and the run says what it may be called", async () => {
    const { code, err, sent, sandbox } = await goneOn(kind, "done", (state) => rename(last(state)));
    const name = called(last(sandbox.state));
    expect({ code, sent }).toEqual({ code: 7, sent: [] });
    expect(err).toContain(
      `may be called ${JSON.stringify(name)} by now: its request got no answer, and that was made since; if it is the same, say "was: ${name}"`,
    );
  });

  test("what was made and has the name of another of the file is not made again, and is found by its id", async () => {
    const otherwise = "pattern" in entry ? { pattern: "Y(?P<id>[0-9]+)" } : { name: "theirs" };
    const text = Object.keys(entry).find((field) => ["description", "url_template", "hint"].includes(field))!;
    const other = { ...entry, ...otherwise, [text]: "https://other.example/{id}" };
    const sandbox = fresh();
    const fileOf = (one: object) =>
      filesOf(JSON.stringify({ organization: site, [kind.section]: [one, other] }), "organization.json");
    const files = fileOf(entry);
    const line = ["org", "apply", "--yes", "organization.json", "--journal", "run.jsonl"];
    await zulipctl(line, { sandbox, files, http: dying(sandbox, 0, { last: "done" }) });
    Object.assign(last(sandbox.state), otherwise);
    const made = last(sandbox.state) as { id?: number; stream_id?: number };
    const id = made.stream_id ?? made.id;
    const { code, err, sent } = await zulipctl(["org", "apply", "--yes", "--resume", "run.jsonl"], { sandbox, files });
    expect({ code, sent: changing(sent) }).toEqual({ code: 7, sent: [] });
    expect(err).toContain(`if it is the same, say "id: ${id}"`);
    const again = { sandbox, files: fileOf({ id, ...entry }) };
    expect(await zulipctl(["org", "apply", "--yes", "organization.json"], again)).toMatchObject({ code: 0 });
    expect(called(last(sandbox.state))).toBe(called(other));
    expect(await zulipctl(["org", "plan", "organization.json", "--exit-code"], again)).toMatchObject({ code: 0 });
  });

  test("what was made and has its name is known to be it", async () => {
    const { code, sent, err } = await goneOn(kind, "done", () => undefined);
    expect({ code, sent, err }).toEqual({ code: 0, sent: [], err: "zulipctl: 1 of 1 change done\n" });
  });

  test("what was not made is made, whatever others have made since", async () => {
    const { code, sent, sandbox } = await goneOn(kind, "lost", (state) => {
      const copy = structuredClone(last(state)) as { id?: number; stream_id?: number; name?: string };
      const id = 1 + (copy.stream_id ?? copy.id)!;
      Object.assign(copy, "stream_id" in copy ? { stream_id: id } : { id });
      rename(copy);
      theirs(copy);
      const all = state[kind.section as "channels"] as unknown as Map<number, object> | object[];
      if (Array.isArray(all)) all.push(copy);
      else all.set(id, copy);
      const counter = { profile_fields: "field" }[kind.section] ?? kind.section.slice(0, -1);
      (state.counters as Record<string, number>)[counter] = id;
    });
    expect({ code, sent: sent.length }).toEqual({ code: 0, sent: 1 });
    expect(called(last(sandbox.state))).toBe(called(entry));
  });
});

test("what depends on it is not sent either", async () => {
  const sandbox = fresh();
  const files = filesOf("folders: [{ name: Work, description: x }]\nchannels: [{ name: design, folder: Work }]");
  const line = ["org", "apply", "--yes", "organization.yaml", "--journal", "run.jsonl"];
  await zulipctl(line, { sandbox, files, http: dying(sandbox, 0, { last: "done" }) });
  rename(lastOf(sandbox.state.folders.values()));
  const { code, sent, err } = await zulipctl(["org", "apply", "--yes", "--resume", "run.jsonl"], { sandbox, files });
  expect({ code, sent: changing(sent) }).toEqual({ code: 7, sent: [] });
  expect(err).toContain("channel design");
});
