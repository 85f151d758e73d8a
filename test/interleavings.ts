/** Runs several command lines at once, in every order of their requests. */
import type { Http, HttpRequest } from "../src/world/world.ts";

/** Returns a copy of `http` whose chosen requests wait for their turn. */
export type Scheduled = (http: Http) => Http;

interface Ordered {
  readonly runs: number;
  /** Chooses requests. */
  readonly matches: (request: HttpRequest) => boolean;
  /** Of each run, the first of these requests that waits for its turn, counted from 0, and the first that does not again. */
  readonly from: number;
  readonly to: number;
}

/** Starts a run. `n` is its number, from 0. */
type Start = (n: number, run: (scheduled: Scheduled) => Promise<unknown>) => void;

/**
 * Calls `work` once for every order of the chosen requests, and returns how many orders there are. `work` makes everything
 * anew, and starts the runs. It returns what is called when they have ended.
 */
export async function inEveryOrder(
  { runs, matches, from, to }: Ordered,
  work: (start: Start) => Promise<() => void>,
): Promise<number> {
  /** What was chosen at each point, and among how many runs. */
  let choices: { chosen: number; of: number }[] = [];
  for (let count = 1; ; count++) {
    let at = 0;
    let open = runs;
    const waiting = new Map<number, () => void>();
    // One goes on when all wait.
    const next = () => {
      if (!waiting.size || waiting.size < open) return;
      const choice = choices[at] ?? { chosen: 0, of: waiting.size };
      choices[at++] = choice;
      const [n, go] = [...waiting].sort(([one], [other]) => one - other)[choice.chosen]!;
      waiting.delete(n);
      go();
    };
    const all: Promise<unknown>[] = [];
    const ended = await work((n, run) => {
      let seen = 0;
      const scheduled: Scheduled = (http) => async (request) => {
        const nth = matches(request) ? seen++ : -1;
        if (nth >= from && nth < to)
          await new Promise<void>((go) => {
            waiting.set(n, go);
            next();
          });
        return http(request);
      };
      all.push(
        run(scheduled).finally(() => {
          open--;
          next();
        }),
      );
    });
    await Promise.all(all);
    ended();
    choices = choices.slice(0, at);
    for (let last = choices.at(-1); last && last.chosen + 1 >= last.of; last = choices.at(-1)) choices.pop();
    const last = choices.at(-1);
    if (!last) return count;
    last.chosen++;
  }
}
