/** A story in words, for the person who looks for what went wrong in it. */
import { passage } from "../report.ts";
import { evaluatedFrom, plannedFrom } from "./readings.ts";
import { type Attempt, type By, changes, type Story } from "./story.ts";

function attempt(one: Attempt, n: number): string {
  const { words, code, passages, out, err } = one;
  const reads = `planned from ${plannedFrom(one)?.at ?? "nothing"}, judged by ${evaluatedFrom(one)?.at ?? "nothing"}`;
  const how = code === undefined ? "died" : `ended with ${code}`;
  return [
    `run ${n}: zulipctl ${words.join(" ")}: ${how}; ${reads}`,
    ...passages.filter(changes).map(passage),
    ...[out, err].filter((text) => text !== "").map((text) => text.trim().replaceAll(/^/gm, "  | ")),
  ].join("\n");
}

export function report({ desired, attempts, history }: Story): string {
  const by = (who: By) => (typeof who === "string" ? who : `run ${attempts.indexOf(who)}`);
  return [
    JSON.stringify(desired.content, undefined, 1),
    ...attempts.map(attempt),
    ...history.writes.map(({ at, fact, from, to, by: who }) => `${at} ${by(who)}: ${fact}: ${from} -> ${to}`),
  ].join("\n");
}
