/** A story of a run, of a second person, and of an undo. */
import type { LogEntry } from "../../../src/log/change-log.ts";
import { main } from "../../../src/main.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world/world.ts";
import { credentials, fresh } from "../../run.ts";
import { pictures } from "../../sandbox/pictures.ts";
import { testWorld } from "../../world.ts";
import { Chance } from "../chance.ts";
import { changeBy, files, nounBy, type Typed } from "./changes.ts";
import { changes, type Ended, Machine } from "./machine.ts";
import { type View, viewOf } from "./view.ts";

const own: [string, string][] = files(pictures.png);

const other = "adam@sandbox.example";

/** Somebody else changes something. Returns the exit code. */
async function byOther(sandbox: Sandbox, { words, input = "" }: Typed, as = other): Promise<number> {
  const active = [...sandbox.state.users.values()].some((user) => user.delivery_email === as && user.is_active);
  const env = credentials(sandbox, active ? as : "iris@sandbox.example");
  const world = testWorld({ http: sandbox.handle, env, files: new Map(own), input });
  return main([...words, "--yes", "--no-record"], world);
}

export const prepared = (async () => {
  const sandbox = fresh();
  for (const user of sandbox.state.users.values())
    if (user.delivery_email === "iris@sandbox.example") user.can_create_users = true;
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
    if (await byOther(sandbox, { words: line.split(" ") }, "iris@sandbox.example")) throw new Error(line);
  return sandbox.state;
})();

/** The run that is taken back. */
interface Made {
  readonly ended: Ended;
  readonly text: string;
  /** Something of it cannot go back. */
  readonly stays: boolean;
  readonly words: readonly (readonly string[])[];
}

const quote = (word: string) => `'${word}'`;

async function played(chance: Chance, machine: Machine, sandbox: Sandbox, troubles: object): Promise<Made> {
  const kind = chance.of(["batch", "batch", "batch", "batch", "single", "single", "apply", "offboard"]);
  const noun = nounBy(chance);
  const lines = Array.from({ length: kind === "single" ? 1 : chance.whole(1, 6) }, (_, n) =>
    changeBy(chance, n, kind === "batch" ? kind : "single", noun),
  );
  const words = lines.map((line) => line.words);
  const stays = lines.some((line) => line.stays);
  if (kind === "single") {
    const [{ words: typed, input = "" } = { words: [] }]: Typed[] = lines;
    const ended = await machine.run([...typed, "--yes"], { ...troubles, input });
    return { ended, text: typed.join(" "), stays, words };
  }
  if (kind === "offboard") {
    const [who, to] = chance.of([
      ["cora", "otis"],
      ["otis", "mona"],
      ["adam", "cora"],
    ]);
    const typed = ["users", "offboard", `${who}@sandbox.example`, "--to", `${to}@sandbox.example`];
    return { ended: await machine.run([...typed, "--yes"], troubles), text: typed.join(" "), stays: false, words: [] };
  }
  if (kind === "apply") {
    const other = fresh({ state: structuredClone(sandbox.state) });
    for (const line of lines) await byOther(other, line, "iris@sandbox.example");
    const world = testWorld({ http: other.handle, env: credentials(other) });
    const with_ = ["--with", "subscribers"];
    await main(["org", "export", ...with_], world);
    const file = "/files/organization.yaml";
    machine.files.set(file, world.stdout.text);
    const prune = chance.hits(0.5) ? ["--prune"] : [];
    const typed = ["org", "apply", file, ...prune, "--allow-empty", "--max-removals", "1000"];
    const text = `${typed.join(" ")} as after\n${words.map((line) => line.join(" ")).join("\n")}`;
    return { ended: await machine.run([...typed, "--yes"], troubles), text, stays, words };
  }
  const input = `${words.map((line) => line.map(quote).join(" ")).join("\n")}\n`;
  machine.files.set("/files/rows.txt", input);
  const run = ["batch", "/files/rows.txt", "--format", "lines", "--yes", "--skip-invalid", "--settle", "1"];
  const typed = chance.hits(0.2) ? [...run, "--no-merge"] : run;
  return { ended: await machine.run(typed, troubles), text: input, stays, words };
}

/** The same thing with another text, or a message in a topic that was moved. */
function similar(chance: Chance, words: readonly string[]): string[] {
  const [noun, verb = "", channel = "", ...topics] = words;
  if (noun === "topic" && verb !== "delete" && chance.hits(0.6)) {
    const topic = chance.of(topics.filter((word) => !word.startsWith("--")));
    return ["messages", "send", "--channel", channel, "--topic", topic, "--content", "theirs"];
  }
  return words.map((word) => word.replace(/^(text|Name|Bot) (\d)$/, "$1 theirs $2"));
}

/** Removes an invitation or an emoji, and makes one like it. Returns nothing for others, and if it is gone. */
function again({ state }: Sandbox, words: readonly string[]): string[][] {
  const [noun, verb, name = ""] = words;
  const isActive = [...state.users.values()].some((user) => user.delivery_email === other && user.is_active);
  if (verb !== "add" || !isActive) return [];
  const invited = noun === "invite" && state.invitations.find(({ email }) => email === name);
  if (invited) return [["invite", "rm", `email:${invited.id}`], [...words]];
  const isEmoji = noun === "emoji" && [...state.emoji.values()].some((each) => each.name === name && !each.deactivated);
  return isEmoji ? [["emoji", "rm", name], [...words]] : [];
}

/** Sets a permission to something else. No other request can state what it replaces. */
function rival({ state }: Sandbox, request: HttpRequest): HttpRequest | undefined {
  const guarded = [...new URLSearchParams(request.body)].find(([, value]) => value.startsWith('{"new":'));
  const administrators = [...state.groups.values()].find(({ name }) => name === "role:administrators");
  if (!guarded || !administrators) return undefined;
  return { ...request, body: `${guarded[0]}=${encodeURIComponent(JSON.stringify({ new: administrators.id }))}` };
}

/** The organization before the run, after it, when the second person has finished, and after the undo. */
export interface Views {
  readonly before: View;
  readonly after: View;
  readonly theirs: View;
  readonly now: View;
}

export interface Story {
  readonly made: Made;
  /** What the log has of it. */
  readonly entries: readonly LogEntry[];
  /** What the second person did. */
  readonly others: readonly string[];
  /** Requests of the run failed. */
  readonly hasFaults: boolean;
  readonly views: Views;
  /** The last undo, with the messages of all. Undefined if the run changed nothing. */
  readonly undone?: Ended;
  /** The undo of the undo, if nothing disturbed the story, and the organization after it. */
  readonly again?: { readonly ended: Ended; readonly view: View };
}

export async function playStory(seed: number): Promise<Story> {
  const chance = new Chance(seed);
  const sandbox = fresh({ state: structuredClone(await prepared) });
  const machine = new Machine(sandbox, chance, own);
  const view = () => viewOf(sandbox.state);

  const before = view();
  const faults = chance.hits(0.3) ? 0.2 : 0;
  const dies = chance.hits(0.2) ? chance.whole(2, 14) : undefined;
  const made = await played(chance, machine, sandbox, { faults, dies });
  const after = view();
  const entries: LogEntry[] = machine.log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const others: string[] = [];
  const begun = { made, entries, others, hasFaults: faults > 0 };
  const [first] = entries;
  if (!first) return { ...begun, views: { before, after, theirs: after, now: after } };

  const meddles = chance.hits(0.4);
  const meddle = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const own = chance.hits(0.5) && made.words.length ? chance.of(made.words) : undefined;
      const typed = own ? { words: similar(chance, own) } : changeBy(chance, 10 + others.length, "single");
      const remade = own ? again(sandbox, own).map((words) => ({ words })) : [];
      for (const each of remade.length ? remade : [typed]) {
        others.push(each.words.join(" "));
        await byOther(sandbox, each);
      }
    }
  };
  if (meddles) await meddle(3);
  const theirs = new Map(view());
  const interfere = async (act: () => Promise<unknown>) => {
    const old = view();
    await act();
    for (const [key, value] of view()) if (old.get(key) !== value) theirs.set(key, value);
    for (const key of old.keys()) if (!view().has(key)) theirs.delete(key);
  };
  // Somebody is quick: between the plan and the confirmation, or just before the change of a permission.
  // What people who come back hold cannot be stated.
  const quick = meddles && chance.hits(0.3) ? chance.whole(1, 3) : undefined;
  const returning = [...before].some(([key, value]) => key.endsWith("|is_active") && after.get(key) !== value);
  const isLate = chance.hits(0.3) && !returning;
  const meanwhile = async (request: HttpRequest, position: number) => {
    if (!changes(request)) return position === quick ? interfere(() => meddle(1)) : undefined;
    const late = isLate ? rival(sandbox, request) : undefined;
    if (!late) return;
    others.push(`just before: ${late.body}`);
    await interfere(() => sandbox.handle(late));
  };
  const undo = ["undo", first.run, "--yes"];
  const undoDies = chance.hits(0.15) ? chance.whole(3, 12) : undefined;
  let undone = await machine.run(undo, { meanwhile, dies: undoDies });
  if (undone.code === undefined) {
    const { err } = undone;
    undone = await machine.run(["undo", first.run, "--yes"]);
    undone = { ...undone, err: err + undone.err };
  }
  const story = { ...begun, undone, views: { before, after, theirs, now: view() } };
  const isCalm = !faults && made.ended.code !== undefined && !others.length && undoDies === undefined;
  if (!isCalm || undone.code !== 0) return story;
  return { ...story, again: { ended: await machine.run(["undo", machine.lastRun, "--yes"]), view: view() } };
}
