/**
 * Deletes and sends messages while processes die, the network fails and others write. At the end, exactly the listed
 * messages are deleted, and everybody has received one message.
 */
import { nextId, type SandboxState } from "../../src/sandbox/index.ts";
import { Chance } from "./chance.ts";
import { noon, organizationOf, type RunResult, Runs } from "./runs.ts";

const addressOf = (n: number): string => `u${n}@chat.example`;

/** The first person is the owner and runs the commands. The second sends spam. */
function organization(chance: Chance, people: number): SandboxState {
  const keys = Array.from({ length: people }, (_, n) => `u${n}`);
  const thing = { description: "", archived: false, default: false, creator: "u0" };
  const state = organizationOf(
    {
      web_public: false,
      users: keys.map((key, n) => ({
        key,
        full_name: `Person ${n}`,
        email: addressOf(n),
        role: n === 0 ? 100 : 400,
        bot: false,
        active: true,
      })),
      channels: [0, 1].map((n) => ({ ...thing, name: `channel ${n}`, privacy: "public", subscribers: keys })),
      groups: [],
      messages: Array.from({ length: chance.whole(5, 25) }, (_, n) => ({
        channel: `channel ${chance.whole(0, 1)}`,
        topic: chance.of(["buy", "sell"]),
        sender: chance.hits(0.7) ? "u1" : "u2",
        content: `message ${n}`,
      })),
    },
    chance,
  );
  return state;
}

const spammer = ({ users }: SandboxState): number =>
  [...users.values()].find(({ delivery_email }) => delivery_email === addressOf(1))?.user_id ?? 0;

class Deletion extends Runs {
  /** Messages from after the start, and messages that others deleted. */
  readonly #later = new Set<number>();
  readonly #others = new Set<number>();

  /** Somebody writes or deletes messages during the run. */
  #disturb(chance: Chance): void {
    const { messages } = this.sandbox.state;
    for (let n = chance.whole(0, 6); n > 0; n--)
      this.time.after(chance.whole(0, 20_000), () => {
        const like = [...messages.values()].at(-1);
        if (!like) return;
        if (chance.hits(0.5)) {
          const id = nextId(this.sandbox.state, "message");
          messages.set(id, { ...like, id, sender_id: spammer(this.sandbox.state), date_sent: noon + this.time.now });
          this.#later.add(id);
        } else {
          this.#others.add(like.id);
          messages.delete(like.id);
        }
      });
  }

  /** Returns the ids in the saved copies. */
  #kept(copy: string): Set<number> {
    const lines = (this.disk.text(copy) ?? "").split("\n").filter(Boolean);
    return new Set(lines.map((line) => (JSON.parse(line) as { id: number }).id));
  }

  async #tell(chance: Chance): Promise<string | undefined> {
    const { state } = this.sandbox;
    const before = [...state.messages.keys()];
    const expected = new Set(
      [...state.messages.values()].filter(({ sender_id }) => sender_id === spammer(state)).map(({ id }) => id),
    );
    const journal = ["--journal", "/state/deletion.jsonl"];
    const words = ["messages", "delete", "--yes", "-q", "-o", "none"];
    const start = (n: number) => {
      const narrow = ["--narrow", `channels:public sender:${addressOf(1)}`];
      return this.run([...words, ...narrow, "--keep", `/copy${n}.ndjson`, ...journal]);
    };
    const hasList = () =>
      (this.disk.text("/state/deletion.jsonl") ?? "")
        .split("\n")
        .slice(1, -1)
        .some((line) => line.startsWith('{"found"'));
    if (chance.hits(0.5)) this.#disturb(chance);
    let copies = 0;
    let ran: RunResult | undefined;
    for (let n = chance.whole(1, 5); n > 0; n--) {
      // A journal without its list belongs to a run that has sent nothing.
      if (!hasList() && this.disk.text("/state/deletion.jsonl") !== undefined) break;
      ran = hasList() ? await this.run([...words, "--resume", "/state/deletion.jsonl"]) : await start(++copies);
      if (ran.code === 70) return `a bug: ${ran.err}`;
    }
    await this.calm();
    if (!hasList())
      return state.messages.size < before.length - this.#others.size ? "it deleted without a journal" : undefined;
    ran = await this.run([...words, "--resume", "/state/deletion.jsonl"]);
    if (ran.code !== 0) return `the last run ended with ${ran.code}: ${ran.err}`;
    const shown = this.#kept(`/copy${copies}.ndjson`);
    const left = [...shown].filter((id) => state.messages.has(id));
    if (left.length) return `messages ${left} were shown and are still there`;
    const deleted = [...before, ...this.#later].filter((id) => !state.messages.has(id));
    const unshown = deleted.filter((id) => !shown.has(id) && !this.#others.has(id));
    if (unshown.length) return `messages ${unshown} are gone and were not shown`;
    const unexpectedIds = [...shown].filter((id) => !expected.has(id) && !this.#later.has(id));
    return unexpectedIds.length ? `messages ${unexpectedIds} are not of the spammer` : undefined;
  }

  breach = (chance: Chance) => this.time.until(this.#tell(chance));
}

class Letters extends Runs {
  /** How many letters each person has. */
  #received(people: number): number[] {
    const all = [...this.sandbox.state.messages.values()];
    return Array.from(
      { length: people },
      (_, n) => all.filter(({ content }) => content === `Dear Person ${n}, welcome`).length,
    );
  }

  async #tell(chance: Chance, people: number): Promise<string | undefined> {
    const rows = Array.from({ length: people - 1 }, (_, n) => `${addressOf(n + 1)},Person ${n + 1}\n`);
    this.disk.put("/letters.csv", `email,name\n${rows.join("")}`);
    const row = ["--", "messages", "send", "--to", "{email}", "--content", "Dear {name}, welcome"];
    const journal = "/state/letters.jsonl";
    const run = (...flags: string[]) => this.run(["batch", "/letters.csv", "-o", "json", ...flags, ...row]);
    const next = (...flags: string[]) =>
      this.disk.text(journal) === undefined ? run("--journal", journal) : run("--resume", journal, ...flags);
    for (let n = chance.whole(1, 4); n > 0; n--) {
      const { code, err } = await next();
      if (code === 70) return `a bug: ${err}`;
      if (this.#received(people).some((count) => count > 1)) return "somebody has two letters";
    }
    await this.calm();
    const { code, out, err } = await next("--retry-unknown");
    // A journal that was torn before its first request is refused.
    if (code === 2 && this.#received(people).every((count) => count === 0)) return undefined;
    const received = this.#received(people);
    if (received.some((count) => count > 1)) return `letters: ${received}`;
    const outcomes = (JSON.parse(out || "[]") as { outcome: string }[]).map(({ outcome }) => outcome);
    const wrong = outcomes.findIndex((outcome, n) => (outcome === "done") !== (received[n + 1] === 1));
    if (wrong >= 0) return `row ${wrong + 1} is ${outcomes[wrong]}, and there are ${received[wrong + 1]} letters`;
    return code === 0 && received.slice(1).every((count) => count === 1)
      ? undefined
      : `the last run ended with ${code}, letters ${received}: ${err}`;
  }

  breach = (chance: Chance, people: number) => this.time.until(this.#tell(chance, people));
}

/** What is wrong with the story of a seed; undefined where nothing is. */
export async function breach(seed: number): Promise<string | undefined> {
  const chance = new Chance(seed);
  const people = chance.whole(4, 9);
  const state = organization(chance, people);
  const trouble = chance.of([0.05, 0.1, 0.3]);
  const setting = { trouble, account: addressOf(0), lifetime: [20, 200] as [number, number] };
  return seed % 2
    ? new Deletion(state, chance, setting).breach(chance)
    : new Letters(state, chance, setting).breach(chance, people);
}
