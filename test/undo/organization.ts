/** An organization, and command lines that one machine or somebody else runs in it. */
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";
import { answer, testWorld } from "../world.ts";

/** What happens to the next change: its request or its answer is lost, or the server refuses it. */
type Fault = "request" | "answer" | "refusal";

export function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map([["party.png", pictures.png]]), new Map<string, string>()];
  const faults: Fault[] = [];
  const run = async (line: string, rows: readonly string[] = []) => {
    if (rows.length) files.set("rows.txt", `${rows.join("\n")}\n`);
    const world = testWorld({
      ...{ env: credentials(sandbox), files, logs },
      http: async (request) => {
        // What registers and removes a queue of events reads, too.
        const isRead = request.method === "GET" || /\/(register|events)\b/.test(request.url);
        const fault = isRead ? undefined : faults.shift();
        if (fault === "request") return answer(502, "");
        if (fault === "refusal") return answer(400, { result: "error", msg: "No", code: "BAD_REQUEST" });
        const answered = await sandbox.handle(request);
        return fault === "answer" ? answer(502, "") : answered;
      },
    });
    const code = await main([...line.split(" "), "--yes"], world);
    return { code, err: world.stderr.text };
  };
  /** The same account changes something from another machine. */
  const elsewhere = async (line: string) => {
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle });
    if (await main([...line.split(" "), "--yes"], world)) throw new Error(world.stderr.text);
  };
  return {
    ...{ state: sandbox.state, run, elsewhere, logs },
    /** Runs the rows of a batch. */
    batch: (...rows: string[]) => run("batch rows.txt --format lines", rows),
    lose: (...next: Fault[]) => void faults.push(...next),
    channel: (called: string) => [...sandbox.state.channels.values()].find(({ name }) => name === called),
  };
}
