/** A story of runs, of a second person, and of an undo. It ends with the rules that were broken. */
import { main } from "../../../src/main.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { credentials, fresh } from "../../run.ts";
import { pictures } from "../../sandbox/pictures.ts";
import { testWorld } from "../../world.ts";
import { Chance } from "../chance.ts";
import { changeBy, files, type Typed } from "./changes.ts";
import { type Ended, Machine } from "./machine.ts";
import { inUse, namesOf, thingOf, type View, viewOf } from "./view.ts";

const own: [string, string][] = files(pictures.png);

/** Somebody else changes something. Returns the exit code. */
async function byOther(sandbox: Sandbox, { words, input = "" }: Typed, as = "adam@sandbox.example"): Promise<number> {
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

/** How the runs of a story are made. */
interface Made {
  readonly ended: Ended;
  readonly text: string;
  /** Its name, if it has a journal. */
  readonly stays: boolean;
  readonly words: readonly (readonly string[])[];
}

const quote = (word: string) => `'${word}'`;

async function runs(chance: Chance, machine: Machine, sandbox: Sandbox, troubles: object): Promise<Made> {
  const kind = chance.of(["batch", "batch", "batch", "batch", "single", "single", "apply", "offboard"]);
  const lines = Array.from({ length: kind === "single" ? 1 : chance.whole(1, 6) }, (_, n) =>
    changeBy(chance, n, kind === "batch" ? kind : "single"),
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

/** What an undo takes away for good. */
const once = /invited again|uploaded again|deleted profile field|private channel without subscribers/;

/** What stays by design: messages that were written, and what is told only to its owner. */
const ignored = (key: string) => key.startsWith("message ") && key.endsWith("|content");

/** A person who was created stays in the lists of the deactivated account. */
const isOfNewPerson = (key: string, before: View): boolean => {
  const [, id] = /\|(?:subscriber|member) (\d+)$/.exec(key) ?? [];
  return id !== undefined && !before.has(`user ${id}|role`);
};

/** Returns what the story broke. */
export async function brokenRules(seed: number): Promise<string[]> {
  const chance = new Chance(seed);
  const sandbox = fresh({ state: structuredClone(await prepared) });
  const machine = new Machine(sandbox, chance, own);
  const view = () => viewOf(sandbox.state);

  const before = view();
  const faults = chance.hits(0.3) ? 0.2 : 0;
  const dies = chance.hits(0.2) ? chance.whole(2, 14) : undefined;
  const made = await runs(chance, machine, sandbox, { faults, dies });
  const isDead = made.ended.code === undefined;
  const after = view();
  if (made.ended.code === 70) return [`seed ${seed}: ${made.text}\na bug: ${made.ended.err}`];
  if (!machine.log.trim()) return [];
  const { run }: { run: string } = JSON.parse(machine.log.slice(0, machine.log.indexOf("\n")));
  const others: string[] = [];
  const meddles = chance.hits(0.4);
  const meddle = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const own = chance.hits(0.5) && made.words.length ? chance.of(made.words) : undefined;
      // The same thing with another text, or something else.
      const typed = own
        ? { words: own.map((word) => word.replace(/^(text|Name|Bot) (\d)$/, "$1 theirs $2")) }
        : changeBy(chance, 10 + others.length, "single");
      others.push(typed.words.join(" "));
      await byOther(sandbox, typed);
    }
  };
  if (meddles) await meddle(3);
  const beforeUndo = view();
  const theirs = new Map(beforeUndo);
  // Somebody is quick: between the plan and the confirmation.
  const quick = meddles && chance.hits(0.3) ? chance.whole(1, 3) : undefined;
  const meanwhile = async (request: number) => {
    if (request !== quick) return;
    const old = view();
    await meddle(1);
    for (const [key, value] of view()) if (old.get(key) !== value) theirs.set(key, value);
    for (const key of old.keys()) if (!view().has(key)) theirs.delete(key);
  };
  const undo = ["undo", "last", "--yes"];
  const undoDies = chance.hits(0.15) ? chance.whole(3, 12) : undefined;
  let undone = await machine.run(undo, { meanwhile, dies: undoDies });
  let text = undone.err;
  if (undone.code === undefined) {
    undone = await machine.run(["undo", run, "--yes"]);
    text += undone.err;
  }
  const now = view();
  const broken: string[] = [];
  const story = () =>
    `${made.text}${made.ended.code} ${made.ended.err}\nothers: ${others.join("; ")}\n${undone.code} ${text}`;
  const changedBy = (key: string) => theirs.get(key) !== after.get(key);
  const tell = (rule: string, key: string) =>
    broken.push(
      `seed ${seed}: ${rule}: ${key}: ${before.get(key)} → ${after.get(key)} → ${theirs.get(key)} → ${now.get(key)}\n${story()}`,
    );
  const isNamed = (key: string) =>
    namesOf(thingOf(key), [before, after, theirs, now]).some((word) => text.includes(word));
  const views: View[] = [before, after, theirs, now];
  const gone = new Set<string>();
  for (const key of new Set(views.flatMap((each) => [...each.keys()]))) {
    const thing = thingOf(key);
    const isMade = !inUse(before, thing) && ![...before.keys()].some((each) => thingOf(each) === thing);
    if (ignored(key) || isOfNewPerson(key, before) || (thing === "orders" && meddles)) continue;
    if (isMade && [...after.keys()].some((each) => thingOf(each) === thing)) gone.add(thing);
    else if (changedBy(key)) {
      // Without an answer, nobody can tell who set the value that the run sent.
      const isOpen = made.ended.code === 7 && now.get(key) === before.get(key);
      if (now.get(key) !== theirs.get(key) && !isOpen) tell("what the second person did is touched", key);
    } else if (now.get(key) !== before.get(key)) {
      if (isDead) continue;
      if (undone.code === 0) tell("not given back", key);
      else if (thing === "orders") continue;
      else if (now.get(key) !== after.get(key)) tell("neither as before nor as after", key);
      else if (!isNamed(key)) tell("left without a word", key);
    }
  }
  for (const thing of gone)
    if (!thing.startsWith("message") && undone.code === 0 && !isDead && inUse(now, thing) && !faults)
      tell("still there", `${thing}|`);
  const calm = !faults && !isDead && !meddles;
  if (calm && !made.stays && undone.code !== 0 && undone.code !== 2)
    broken.push(`seed ${seed}: cannot be undone: ${story()}`);
  if (calm && undone.code === 0 && undoDies === undefined) {
    const again = await machine.run(undo);
    // The server wrote and deleted it.
    const isNotice = (key: string) => key.startsWith("message ") && !before.has(key);
    const last = view();
    for (const key of after.keys())
      if (!ignored(key) && !isNotice(key) && again.code === 0 && last.get(key) !== after.get(key))
        broken.push(
          `seed ${seed}: undo of undo: ${key}: ${after.get(key)} → ${last.get(key)}\n${story()}\n${again.err}`,
        );
    const isOnce = [...again.err.matchAll(/^✗ .*$/gm)].every(([line]) => once.test(line));
    if (again.code && !isOnce)
      broken.push(`seed ${seed}: undo of undo ends with ${again.code}\n${story()}\n${again.err}`);
  }
  if (![0, 1, 2, 5, 6, undefined].includes(undone.code))
    broken.push(`seed ${seed}: ends with ${undone.code}: ${story()}`);
  return broken;
}
