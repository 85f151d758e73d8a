/** A machine that runs command lines one after the other. Requests fail, and processes die. */
import { main } from "../../../src/main.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { Http, HttpRequest } from "../../../src/world/world.ts";
import { credentials } from "../../run.ts";
import { answer, testWorld } from "../../world.ts";
import type { Chance } from "../chance.ts";

export interface Ended {
  /** Undefined if the process died. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

interface Troubles {
  /** The probability that a change has a fault. */
  faults?: number;
  /** The request at which the process dies, before or after the server handles it. */
  dies?: number | undefined;
  input?: string;
  /** Happens before a request is handled. */
  meanwhile?: (request: HttpRequest, position: number) => Promise<void>;
}

export const changes = ({ method, url }: HttpRequest): boolean => method !== "GET" && !url.endsWith("/register");

export class Machine {
  readonly files: Map<string, string>;
  readonly #logs = new Map<string, string>();
  readonly #sandbox: Sandbox;
  readonly #chance: Chance;

  constructor(sandbox: Sandbox, chance: Chance, files: Iterable<[string, string]>) {
    this.#sandbox = sandbox;
    this.#chance = chance;
    this.files = new Map(files);
  }

  get log(): string {
    return this.#logs.get("/state/log.ndjson") ?? "";
  }

  /** The name of the run that began last. */
  get lastRun(): string {
    return (
      this.#logs
        .get("/state/runs.ndjson")
        ?.match(/"run":"([^"]+)","began"/g)
        ?.at(-1)
        ?.slice(7, -9) ?? ""
    );
  }

  async run(words: readonly string[], { faults = 0, dies, input, meanwhile }: Troubles = {}): Promise<Ended> {
    const chance = this.#chance;
    let requests = 0;
    let die = () => {};
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const http: Http = async (request) => {
      requests++;
      const isChange = changes(request);
      await meanwhile?.(request, requests);
      const isDead = dies !== undefined && requests >= dies;
      if (isDead && chance.hits(0.5)) {
        die();
        return new Promise<never>(() => {});
      }
      const fault = isChange && chance.hits(faults) ? chance.of(["refused", "lost", "cut"]) : undefined;
      if (fault === "refused") return answer(400, { result: "error", msg: "No", code: "BAD_REQUEST" });
      if (fault === "lost") return answer(502, "");
      const answered = await this.#sandbox.handle(request);
      if (isDead) {
        die();
        return new Promise<never>(() => {});
      }
      return fault === "cut" ? answer(502, "") : answered;
    };
    const world = testWorld({
      http,
      env: credentials(this.#sandbox),
      files: this.files,
      logs: new Map(this.#logs),
      ...(input !== undefined && { input }),
    });
    const code = await Promise.race([main([...words], world), death]);
    // What a killed process would write later is lost.
    for (const [path, text] of world.files.logs) this.#logs.set(path, text);
    return { code, out: world.stdout.text, err: world.stderr.text };
  }
}
