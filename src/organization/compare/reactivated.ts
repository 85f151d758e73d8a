/** Tells of people who come back into what nobody sees now. */
import { firstOf } from "../../counted.ts";
import type { Entry } from "../content.ts";
import type { Difference } from "../difference.ts";
import { sections } from "../file.ts";
import { people, who } from "../shape.ts";
import type { Comparing } from "./comparing.ts";

/** Whether the file says exactly who stands in something. */
function isExact({ content }: Comparing): boolean {
  const says = (name: "settings" | "groups" | "channels", entry: Entry): boolean =>
    Object.entries(sections[name].members).some(
      ([member, { shape }]) =>
        Object.hasOwn(entry, member) && (shape === who || (shape === people && Array.isArray(entry[member]))),
    );
  return (
    says("settings", content.settings ?? {}) ||
    (["groups", "channels"] as const).some((name) => content[name]?.some((entry) => says(name, entry)))
  );
}

export function tellReturning(c: Comparing, differences: readonly Difference[]): void {
  const back = new Set(
    differences.flatMap((one) => (one.section === "people" && one.action === "reactivate" ? [one.id] : [])),
  );
  if (!back.size || !isExact(c)) return;
  const pairs = c.pairings.people.pairs.filter(({ thing }) => back.has(thing?.id));
  const names = pairs.map(({ thing }) => c.references.called(thing!.id!));
  const says = `${firstOf(names, 5)}: after they are reactivated, they appear again in lists and permissions; plan again then`;
  c.findings.notice(says, pairs[0]!.path);
}
