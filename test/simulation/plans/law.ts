/** What must hold after every story of an organization. */
import type { Passage } from "../network.ts";
import { type Attempt, live, type Story } from "./story.ts";
import type { Foreign } from "./wishes.ts";

/** The first breach; undefined where there is none. */
export function breach(story: Story): string | undefined {
  const { bug } = story;
  if (bug) return `a bug: ${bug instanceof Error ? bug.stack : bug}`;
  const last = story.attempts.at(-1)!;
  if (!last.ended || last.failure) return `the last run did not end: ${last.failure?.message}`;
  if (story.left.length) return `this differs for ever: ${JSON.stringify(story.left).slice(0, 500)}`;
  return twice(story) ?? story.attempts.map((attempt) => overwritten(story, attempt)).find((each) => each);
}

/** Names are given once. */
function twice({ state }: Story): string | undefined {
  const all = [
    [...state.groups.values()].map(({ name }) => `group ${name}`),
    [...state.channels.values()].map(({ name }) => `channel ${name.toLowerCase()}`),
    [...state.folders.values()].map(({ name }) => `folder ${name}`),
    state.linkifiers.map(({ pattern }) => `linkifier ${pattern}`),
    state.profile_fields.map(({ name }) => `field ${name}`),
    state.playgrounds.map(({ name, pygments_language }) => `playground ${pygments_language} ${name}`),
  ].flat();
  const again = all.find((name, n) => all.indexOf(name) !== n);
  return again && `${again} was made twice`;
}

const touches = ({ request }: Passage, kind: string, id: number): boolean =>
  request.method !== "GET" && new RegExp(`/${kind}/${id}(/|$)`).test(new URL(request.url).pathname);

/** When the organization was read that a run knows by this moment. */
const readBy = ({ passages }: Attempt, moment: number): number =>
  Math.max(
    ...passages
      .filter(({ request, served }) => request.url.endsWith("/register") && served?.status === 200)
      .map(({ served }) => served!.at)
      .filter((at) => at <= moment),
  );

/** What somebody did between a run's first read and the one right before its first change is left alone by that run. */
function overwritten({ foreign }: Story, attempt: Attempt): string | undefined {
  const { planned, judged, passages } = attempt;
  if (!Number.isFinite(judged)) return undefined;
  const [from, to] = [readBy(attempt, planned), readBy(attempt, judged)];
  for (const each of foreign.filter(({ at }) => at > from && at < to)) {
    const sent = passages.filter((passage) => passage.left > judged && touches(passage, kindOf(each), each.id));
    if ("made" in each && sent.length) return `a stranger's ${each.made} ${each.id} was changed`;
    const body = (passage: Passage) => new URLSearchParams(String(passage.request.body ?? ""));
    if ("described" in each && sent.some((passage) => body(passage).has("description")))
      return `the description of ${each.described} ${each.id}, which somebody had changed at ${each.at}, was overwritten`;
  }
  return undefined;
}

const kindOf = (each: Foreign): string => ("made" in each ? each.made : each.described);

/** Undefined where nothing is wrong. */
export async function simulatePlan(seed: number): Promise<{ seed: number; breach: string } | undefined> {
  try {
    const found = breach(await live(seed));
    return found === undefined ? undefined : { seed, breach: found };
  } catch (error) {
    return { seed, breach: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
