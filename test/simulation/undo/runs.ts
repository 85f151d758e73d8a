/** The runs of a story: of every kind that `undo` takes back. */
import { main } from "../../../src/main.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { credentials, fresh } from "../../run.ts";
import { pictures } from "../../sandbox/pictures.ts";
import { testWorld } from "../../world.ts";
import type { Chance } from "../chance.ts";
import { changeBy, files, nounBy, replacement, type Typed } from "./changes.ts";
import type { Machine, Ran, Troubles } from "./machine.ts";
import { accountOf } from "./others.ts";

export const own: [string, string][] = files(pictures.png);

export const owner = "iris@sandbox.example";

/** Somebody changes something from another machine. Returns the exit code. */
export async function byOther(sandbox: Sandbox, { words, input = "" }: Typed, as?: string): Promise<number> {
  const env = credentials(sandbox, as ?? accountOf(sandbox).delivery_email);
  const world = testWorld({ http: sandbox.handle, env, files: new Map(own), input });
  return main([...words, "--yes", "--no-record"], world);
}

export const prepared = (async () => {
  const sandbox = fresh();
  for (const user of sandbox.state.users.values()) if (user.delivery_email === owner) user.can_create_users = true;
  for (const line of [
    "domain add a.example --allow-subdomains",
    "playground add python Play https://p.example/{code}",
    "playground add rust Playground https://p.example/{code}",
    "drafts add --content one",
    "drafts add --channel design --topic t --content two",
    "emoji add shipit party.png",
    "emoji add party party.png",
    "invite add guest@x.example --channel general",
    "linkifier add OLD-(?P<id>[0-9]+) https://old.example/{id}",
    "folder create Empty",
    "group create resters --description x",
    "group deactivate resters",
    "bots create Old --short-name old --print",
    "bots deactivate old-bot@chat.example",
  ])
    if (await byOther(sandbox, { words: line.split(" ") }, owner)) throw new Error(line);
  return sandbox.state;
})();

/** A run, and the lines of which it consists. */
export interface Made {
  readonly ran: Ran;
  readonly text: string;
  readonly lines: readonly (readonly string[])[];
}

const quote = (word: string) => `'${word}'`;

const batchWords = ["batch", "/files/rows.txt", "--format", "lines", "--yes", "--skip-invalid", "--settle", "1"];

/** Where some batches keep their journal, one after the other. */
const journal = "/files/kept.jsonl";

/** Runs lines as a batch. `flags`: more of its words. */
export async function batchOf(
  machine: Machine,
  lines: readonly (readonly string[])[],
  troubles: Troubles,
  flags: readonly string[],
): Promise<Made> {
  const text = `${lines.map((line) => line.map(quote).join(" ")).join("\n")}\n`;
  machine.files.set("/files/rows.txt", text);
  return { ran: await machine.run([...batchWords, ...flags], troubles), text, lines };
}

async function offboard(chance: Chance, machine: Machine, troubles: Troubles): Promise<Made> {
  const [who, to] = chance.of([
    ["cora", "otis"],
    ["otis", "mona"],
    ["adam", "cora"],
  ]);
  const typed = ["users", "offboard", `${who}@sandbox.example`, "--to", `${to}@sandbox.example`];
  return { ran: await machine.run([...typed, "--yes"], troubles), text: typed.join(" "), lines: [] };
}

/** Applies a file that says what another organization is after some changes. */
async function apply(chance: Chance, machine: Machine, typed: readonly Typed[], troubles: Troubles): Promise<Made> {
  const other = fresh({ state: structuredClone(machine.sandbox.state) });
  for (const line of typed) await byOther(other, line, owner);
  const world = testWorld({ http: other.handle, env: credentials(other) });
  await main(["org", "export", "--with", "subscribers"], world);
  const file = "/files/organization.yaml";
  machine.files.set(file, world.stdout.text);
  const prune = chance.hits(0.5) ? ["--prune"] : [];
  const words = ["org", "apply", file, ...prune, "--allow-empty", "--max-removals", "1000"];
  const lines = typed.map((line) => line.words);
  const text = `${words.join(" ")} as after\n${lines.map((line) => line.join(" ")).join("\n")}`;
  return { ran: await machine.run([...words, "--yes"], troubles), text, lines };
}

export type Kind = "batch" | "single" | "apply" | "offboard";

const kinds: readonly Kind[] = ["batch", "batch", "batch", "batch", "single", "single", "single", "apply", "offboard"];

/** Runs one command line, or several as one run. `n` makes its texts different. `isKept`: a batch keeps its journal. */
export async function runOf(
  chance: Chance,
  machine: Machine,
  n: number,
  troubles: Troubles,
  { kind = chance.of(kinds), isKept }: { kind?: Kind | undefined; isKept: boolean },
): Promise<Made> {
  if (kind === "offboard") return offboard(chance, machine, troubles);
  const noun = nounBy(chance);
  const typed = Array.from({ length: kind === "single" ? 1 : chance.whole(1, 5) }, (_, line) =>
    changeBy(chance, 10 * n + line, kind === "batch" ? kind : "single", noun),
  );
  if (kind !== "single" && chance.hits(0.25)) typed.push(...replacement(machine.sandbox.state, chance, n));
  const lines = typed.map(({ words }) => words);
  const stays = typed.some((line) => line.stays);
  if (kind === "apply") return apply(chance, machine, typed, { ...troubles, stays });
  if (kind === "single") {
    const [{ words, input } = { words: [] }] = typed;
    return { ran: await machine.run([...words, "--yes"], { ...troubles, input, stays }), text: words.join(" "), lines };
  }
  // Whoever uses the path again has removed the file.
  if (isKept) machine.files.delete(journal);
  const merging = chance.hits(0.2) ? ["--no-merge"] : [];
  return batchOf(machine, lines, { ...troubles, stays }, [...merging, ...(isKept ? ["--journal", journal] : [])]);
}

export const isBatch = ({ words }: Ran): boolean => words[0] === "batch";

/** Resumes a batch. Its file must be the one that was written last. */
export function resumed(machine: Machine, ran: Ran, troubles: Troubles): Promise<Ran> {
  const first = ran.resumes ?? ran;
  const merging = ran.words.includes("--no-merge") ? ["--no-merge"] : [];
  const at = ran.words.indexOf("--journal");
  const path = at < 0 ? first.name : (ran.words[at + 1] ?? "");
  return machine.run([...batchWords, ...merging, "--resume", path], { ...troubles, stays: ran.stays, resumes: first });
}

/** Runs that change nothing: a name with a mistake, an answer of no, a refusal. */
export const inVain: readonly (readonly string[])[] = [
  ["topic", "move", "desing", "logo", "--to-channel", "general", "--yes"],
  ["channel", "archive", "nowhere", "--yes"],
  ["channel", "archive", "general"],
  ["users", "update", "cora@sandbox.example", "--role", "owners", "--yes"],
];
