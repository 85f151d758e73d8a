/** A machine that runs command lines. Requests fail, processes die, disks fill up, and others change things meanwhile. */
import { main } from "../../../src/main.ts";
import type { Sandbox, SandboxState } from "../../../src/sandbox/index.ts";
import type { Http, HttpRequest } from "../../../src/world/world.ts";
import { credentials, fresh, person } from "../../run.ts";
import { answer, testWorld } from "../../world.ts";
import type { Chance } from "../chance.ts";
import { Ledger } from "./ledger.ts";
import { filesOf, Life } from "./life.ts";

export interface Ended {
  /** Undefined if the process died. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A command line that was run, and what the server saw of it. */
export interface Ran {
  readonly words: readonly string[];
  /** As the program calls it. Empty until it says so. */
  name: string;
  readonly job: string | undefined;
  /** Milliseconds. */
  readonly began: number;
  ended: Ended;
  /** By the ledger's counter. */
  readonly from: number;
  to: number;
  /** When the question was answered. */
  confirmed?: number;
  /** When the server handled its last change, and its first read after it. */
  changed?: number;
  verified?: number;
  /** The changes that the server accepted and refused, and those that had no answer. */
  accepted: number;
  refused: number;
  unanswered: number;
  /** Requests had faults. */
  hasFaults: boolean;
  /** Lines of it are not in the log. */
  isLost: boolean;
  /** Something of it cannot go back. */
  stays: boolean;
  /** The run that it resumes. */
  resumes?: Ran | undefined;
  /** Of an undo: the runs that it takes back, and the thing of `--only`. */
  means?: readonly Ran[];
  only?: string | undefined;
}

export interface Troubles {
  /** The probability that a change has a fault. */
  faults?: number | undefined;
  /** The server refuses every change. */
  refuses?: boolean | undefined;
  /** The step at which the process dies: before or after a request is handled, or a line is written. */
  dies?: number | undefined;
  /** The number of lines for which the disk of the log has space. */
  space?: number | undefined;
  input?: string | undefined;
  job?: string | undefined;
  stays?: boolean | undefined;
  resumes?: Ran | undefined;
  /** Somebody is at the terminal, and something happens before the answer to the question. */
  asked?: (() => Promise<void>) | undefined;
  /** Happens before a request is handled. */
  meanwhile?: ((request: HttpRequest, ran: Ran) => Promise<void>) | undefined;
}

export const changes = ({ method, url }: HttpRequest): boolean =>
  method !== "GET" && !/\/(register|events)$/.test(new URL(url).pathname);

const noon = Date.UTC(2026, 0, 15, 12);

const logPath = "/state/log.ndjson";

export class Machine {
  readonly files: Map<string, string>;
  readonly session: Ran[] = [];
  /** In milliseconds, also of the server. */
  time = noon;
  readonly #logs = new Map<string, string>();
  readonly #locks = new Map<string, Life>();
  readonly #processes = new Map<string, Life>();

  readonly sandbox: Sandbox;
  readonly ledger: Ledger;

  constructor(
    state: SandboxState,
    private readonly chance: Chance,
    files: Iterable<[string, string]>,
  ) {
    this.sandbox = fresh({ state, clock: { now: () => this.time } });
    this.ledger = new Ledger(state);
    this.files = new Map(files);
  }

  /** The id of the account that runs the command lines. */
  get owner(): number {
    return person(this.sandbox, 100).user_id;
  }

  get log(): string {
    return this.#logs.get(logPath) ?? "";
  }

  /** Removes or damages lines of the log. */
  loseLines(isLost: () => boolean): void {
    const lines = this.log.split("\n").filter(Boolean);
    const kept = lines.flatMap((line) => {
      if (!isLost()) return [line];
      const name: unknown = JSON.parse(line).run;
      for (const ran of this.session) if (ran.name === name) ran.isLost = true;
      return this.chance.hits(0.5) ? [] : [line.slice(0, 20)];
    });
    this.#logs.set(logPath, kept.map((line) => `${line}\n`).join(""));
  }

  #nameOf(process: string): string {
    const begun = (this.#logs.get("/state/runs.ndjson") ?? "").split("\n").filter((line) => line.includes('"began"'));
    return begun.map((line) => JSON.parse(line)).find((line) => line.process === process)?.run ?? "";
  }

  async #suppose(ran: Ran, request: HttpRequest): Promise<void> {
    const then = fresh({ state: structuredClone(this.sandbox.state), clock: { now: () => this.time } });
    await then.handle(request);
    this.ledger.suppose(ran, then.state);
  }

  /** Sends a request, which may fail. */
  async #request(ran: Ran, life: Life, request: HttpRequest, { faults = 0, refuses, meanwhile }: Troubles) {
    const { chance, ledger, sandbox } = this;
    await life.step();
    await meanwhile?.(request, ran);
    const isChange = changes(request);
    const faultBy = () => (chance.hits(faults) ? chance.of(["refused", "lost", "cut"]) : undefined);
    const fault = isChange ? (refuses ? "refused" : faultBy()) : undefined;
    if (fault) ran.hasFaults = true;
    if (fault === "refused") return answer(400, { result: "error", msg: "No", code: "BAD_REQUEST" });
    if (fault === "lost") {
      ran.unanswered++;
      await this.#suppose(ran, request);
      return answer(502, "");
    }
    const answered = await sandbox.handle(request);
    if (!isChange) {
      if (ran.changed !== undefined) ran.verified ??= ledger.tick();
      return answered;
    }
    ledger.record(ran);
    ran.changed = ledger.now;
    delete ran.verified;
    if (answered.status === 200) ran.accepted++;
    else ran.refused++;
    if (fault === "cut") ran.unanswered++;
    await life.step();
    return fault === "cut" ? answer(502, "") : answered;
  }

  /** The process of an earlier run may still go on. */
  async run(words: readonly string[], troubles: Troubles = {}): Promise<Ran> {
    const { input, asked, dies = Number.POSITIVE_INFINITY, space = Number.POSITIVE_INFINITY, job } = troubles;
    const { ledger, sandbox } = this;
    const life = new Life(dies);
    const name = `process ${this.#processes.size + 1}`;
    this.#processes.set(name, life);
    const ran: Ran = {
      ...{ words, name: "", job, began: this.time, from: ledger.now, to: Number.POSITIVE_INFINITY },
      ...{ accepted: 0, refused: 0, unanswered: 0, hasFaults: false, isLost: false, stays: troubles.stays ?? false },
      ...{ ended: { code: undefined, out: "", err: "" }, resumes: troubles.resumes },
    };
    this.session.push(ran);
    const http: Http = async (request) => {
      const answered = await this.#request(ran, life, request, troubles);
      await life.step();
      return answered;
    };
    const env = { ...credentials(sandbox), ...(job !== undefined && { ZULIPCTL_JOB: job }) };
    const made = testWorld({ http, env, files: this.files, logs: this.#logs, ...(input !== undefined && { input }) });
    let lines = 0;
    const isFull = (path: string) => {
      const full = path === logPath && ++lines > space;
      if (full) ran.isLost = true;
      return full;
    };
    const world = {
      ...made,
      files: filesOf(made.files, life, this.#locks, isFull),
      clock: {
        now: () => this.time,
        monotonic: () => this.time,
        random: () => 0.5,
        sleep: async (ms: number) => {
          this.time += ms;
        },
      },
      processes: async () => ({
        own: name,
        stateOf: (other: string) => (this.#processes.get(other)?.isAlive ? ("alive" as const) : ("dead" as const)),
      }),
      ...(asked && {
        stdin: { ...made.stdin, isTerminal: true },
        stderr: Object.assign(made.stderr, { isTerminal: true }),
        prompts: {
          ...made.prompts,
          confirm: async () => {
            await asked();
            ran.confirmed = ledger.tick();
            return true;
          },
        },
      }),
    };
    const code = await Promise.race([main([...words], world), life.death.then(() => undefined)]);
    life.isAlive = false;
    ran.ended = { code, out: made.stdout.text, err: made.stderr.text };
    ran.to = ledger.tick();
    ran.name = this.#nameOf(name);
    this.time += this.chance.whole(1, 20) * 60_000;
    return ran;
  }
}
