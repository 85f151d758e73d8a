/** Every request of a plan as early as its edges allow, and as late: an edge that is missing lets one of them come at the wrong time. */
import { compare } from "../../src/organization/compare.ts";
import type { Step } from "../../src/organization/order.ts";
import type { Content } from "../../src/organization/place.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { failures, Stand, shown } from "./stand.ts";

/** Those that must be over before, by place in the order. */
const before = ({ needs, follows }: Step): number[] => [...needs, ...follows];

/** With all that they wait for. */
function behind(steps: readonly Step[], start: number): Set<number> {
  const found = new Set<number>();
  const open = [start];
  for (let n = open.pop(); n !== undefined; n = open.pop())
    for (const each of before(steps[n]!)) {
      if (found.has(each)) continue;
      found.add(each);
      open.push(each);
    }
  return found;
}

/** Orders of the steps, by their places, none of them against an edge. */
export function extensions(steps: readonly Step[]): number[][] {
  const places = [...steps.keys()];
  const waits = places.map((n) => behind(steps, n));
  const early = places.map((n) => {
    const first = places.filter((each) => waits[n]!.has(each));
    return [...first, n, ...places.filter((each) => each !== n && !waits[n]!.has(each))];
  });
  const late = places.map((n) => {
    const last = places.filter((each) => waits[each]!.has(n));
    return [...places.filter((each) => each !== n && !waits[each]!.has(n)), n, ...last];
  });
  const different = new Map([...early, ...late].map((order) => [order.join(" "), order]));
  return [...different.values()];
}

export interface Tried {
  readonly level?: number;
  readonly as?: number | string;
  readonly given?: (state: State) => void;
}

const called = ({ change: { target }, part }: Step): string => `${target}, ${part}`;

/** A line for each request, with the attributes that it brings about and what it waits for. */
const told = (steps: readonly Step[]): string[] =>
  steps.map((step) => {
    const after = (places: readonly number[], word: string) =>
      places.length ? [`${word} ${places.map((n) => called(steps[n]!)).join("; ")}`] : [];
    return [
      `${called(step)}${step.fields.length ? `: ${step.fields.join(", ")}` : ""}`,
      ...after(step.needs, "needs"),
      ...after(step.follows, "follows"),
    ].join("\n      ");
  });

/** What goes wrong in one order or another, how many requests there are, and what each of them waits for. */
export async function troubles(
  content: Content,
  { level = 478, as = 100, given }: Tried = {},
): Promise<{ requests: number; wrong: string[]; edges: string[] }> {
  const start = fresh({ level });
  given?.(start.state);
  const stand = () => new Stand({ level, as, sandbox: fresh({ level, state: structuredClone(start.state) }) });
  const planned = async (at: Stand) => compare(await at.snapshot(), content, { prune: true });
  const { differences, problems, refused } = await planned(stand());
  if (problems.length || refused.length) throw new Error(JSON.stringify({ problems, refused }));
  const steps = await stand().steps(differences);
  const wrong: string[] = [];
  for (const order of extensions(steps)) {
    const at = stand();
    const sent = await at.send(
      order.map((n) => ({
        ...steps[n]!,
        needs: steps[n]!.needs.map((each) => order.indexOf(each)),
        follows: steps[n]!.follows.map((each) => order.indexOf(each)),
      })),
    );
    const left = (await planned(at)).differences;
    if (failures(sent).length || left.length)
      wrong.push(
        [
          ...order.map((n) => shown(steps[n]!)),
          ...failures(sent),
          ...left.map((each) => `left: ${JSON.stringify(each)}`),
        ].join("\n"),
      );
  }
  return { requests: steps.length, wrong, edges: told(steps) };
}
