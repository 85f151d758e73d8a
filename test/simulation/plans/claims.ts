/** Checks what a run reports against the facts. */

import { type DifferingFact, differingFacts } from "./expected.ts";
import { type Fact, partsOf, type Write } from "./facts.ts";
import { evaluatedFrom, momentOf, plannedFrom } from "./readings.ts";
import type { Attempt, By, Story } from "./story.ts";

type Written = Write<By>;

const labels: Readonly<Record<string, string>> = {
  groups: "group",
  channels: "channel",
  folders: "folder",
  linkifiers: "linkifier",
  profile_fields: "profile field",
  domains: "domain",
};

interface ReportedRow {
  readonly target: string;
  readonly outcome: string;
}

/**
 * Checks that changes reported as done are done. Exceptions are changes by others after the second read, or after this
 * run changed the thing. A name may mean another thing since the plan.
 */
export function checkClaims(story: Story, attempt: Attempt, byFact: ReadonlyMap<Fact, Written[]>): string | undefined {
  const [planned, judged] = [plannedFrom(attempt), evaluatedFrom(attempt)];
  if (attempt.code === undefined || !planned || !judged) return undefined;
  const records = JSON.parse(attempt.out || "[]") as ReportedRow[];
  const failed = records.filter(({ outcome }) => outcome !== "done");
  if (attempt.code === 0 && failed.length) return `it ended with 0, and ${failed[0]!.target} is ${failed[0]!.outcome}`;
  const done = new Set(records.flatMap(({ target, outcome }) => (outcome === "done" ? [target] : [])));
  const whole = attempt.err.includes("everything is applied");
  const others = story.history.writes.filter(({ at, by }) => by !== attempt && at > planned.at && at <= attempt.over);
  // Facts that were as desired at planning time are not in the plan.
  const plannedFacts = new Set(differingFacts(story.desired, planned.facts, story.register).map(({ fact }) => fact));
  const own = story.history.writes.filter(({ by }) => by === attempt);
  const isLater = ({ at, fact }: Written): boolean =>
    !plannedFacts.has(fact) ||
    at > momentOf(judged, fact).at ||
    own.some((write) => write.at < at && partsOf(write.fact).thing === partsOf(fact).thing);
  const renamed = (section: string) =>
    others.some(({ fact }) => fact.startsWith(`${section} `) && /^(name|pattern|there)$/.test(partsOf(fact).field));
  const isExcused = ({ fact, section }: DifferingFact) => {
    const theirs = (which: Fact) => (byFact.get(which) ?? []).filter((write) => others.includes(write));
    if (theirs(fact).some(isLater) || theirs(`${partsOf(fact).thing} name`).length) return true;
    if (fact.endsWith(" there")) return renamed(section === "people" ? "invitations" : section);
    const { field, element } = partsOf(fact);
    // Plans ignore deactivated people, and servers hide their memberships.
    if (element !== undefined && [planned, judged].some(({ facts }) => facts.get(`people ${element} away`)))
      return true;
    // The thing that it names may have another name now.
    return field === "folder" ? renamed("folders") : /^can_|^subgroups$/.test(field) && renamed("groups");
  };
  const wrongClaim = attempt.unmet.find(
    (each) => (whole || done.has(`${labels[each.section] ?? ""} ${each.name}`.trim())) && !isExcused(each),
  );
  return (
    wrongClaim &&
    `${wrongClaim.section} ${wrongClaim.name} is reported as done, but ${wrongClaim.fact} is not as the file says`
  );
}
