/** Things of one name: an archived folder may be brought back after its name was given to another. */
import type { Content, Entry } from "../../../src/organization/content.ts";
import { type Facts, partsOf } from "./facts.ts";
import { changes, plannedFrom, type Reading } from "./readings.ts";
import type { Attempt, Story } from "./story.ts";

/** Live folders that have one name, by their ids: where the file means one of them by it, nobody can tell which. */
function undecided(content: Content, facts: Facts): string[] | undefined {
  const entries = (content.folders ?? []) as Entry[];
  const named = new Map<string, string[]>();
  for (const [fact, value] of facts) {
    const { section, id, field, thing } = partsOf(fact);
    if (section !== "folders" || field !== "name" || facts.get(`${thing} away`) !== false) continue;
    if (entries.some((entry) => entry.id === Number(id))) continue;
    const name = String(value).toLowerCase();
    named.set(name, [...(named.get(name) ?? []), id]);
  }
  const meant = entries.flatMap(({ id, name, was }) => {
    const [now, old] = [name, was].map((each) => named.get(String(each ?? "").toLowerCase()));
    return id === undefined ? [now ?? old ?? []] : [];
  });
  return meant.find((ids) => ids.length > 1);
}

/** Where the file means one of several things by a name that all of them have, nothing is done. */
export function guessed({ wish }: Story, { passages }: Attempt, { folders }: Reading): string | undefined {
  const alike = undecided(wish.content, folders.facts);
  const sent = alike && passages.find(changes);
  return sent && `${sent.request.method} ${sent.request.url} was sent, and nobody knows which of ${alike} is meant`;
}

/** Somebody else has left two things with one name: nothing is sent, and the run names both. */
export function asking({ wish }: Story, attempt: Attempt): boolean {
  const alike = undecided(wish.content, plannedFrom(attempt.chain)!.folders.facts);
  const { code, err, passages } = attempt;
  const named = alike?.map((id) => `id ${id}`).join(", ");
  return named !== undefined && code === 2 && !passages.some(changes) && err.includes(named);
}
