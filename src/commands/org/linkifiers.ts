/** Checks linkifiers of a file by the rules of `linkifier add`. Loads the RE2 engine. */

import { strip } from "../../common/folding.ts";
import { checkLinkifier, type Linkifier, olderForm } from "../../notation/linkifier.ts";
import type { Content } from "../../organization/content.ts";
import type { Difference } from "../../organization/difference.ts";
import type { ValidationError } from "../../organization/shape.ts";
import type { Snapshot } from "../../organization/snapshot.ts";

/** Returns the linkifier that the plan sends. Undefined if it sends none. */
function linkifierAfter({ organization }: Snapshot, one: Difference): Linkifier | undefined {
  if (one.action === "create") return { ...one.to, pattern: one.name } as unknown as Linkifier;
  if (one.action !== "update") return undefined;
  const current = organization.realm_linkifiers?.find(({ id }) => id === one.id);
  const changes = Object.fromEntries(one.fields.map(({ field, to }) => [field, to]));
  return { ...current, ...changes } as unknown as Linkifier;
}

/** Checks only changed linkifiers: the server has accepted the others. */
export function linkifierProblems(
  { linkifiers = [] }: Content,
  snapshot: Snapshot,
  differences: readonly Difference[],
): ValidationError[] {
  return differences.flatMap((one) => {
    const linkifier = one.section === "linkifiers" ? linkifierAfter(snapshot, one) : undefined;
    const refusal = linkifier && checkLinkifier(linkifier);
    if (!refusal) return [];
    const n = linkifiers.findIndex(({ pattern }) => typeof pattern === "string" && strip(pattern) === strip(one.name));
    const entry = linkifiers[n] ?? {};
    const older = olderForm(linkifier);
    if (older !== undefined) return [{ path: ["linkifiers", n, "url_template"], message: older }];
    return Object.entries(refusal.errors).flatMap(([field, all]) =>
      all.map(
        (says): ValidationError => ({
          path: ["linkifiers", n, Object.hasOwn(entry, field) ? field : "pattern"],
          message: `the server would refuse it: ${says}`,
        }),
      ),
    );
  });
}
