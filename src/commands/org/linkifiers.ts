/** Checks linkifiers of a file by the rules of `linkifier add`. Loads the RE2 engine. */

import { linkifierSchema } from "../../api/linkifiers.ts";
import { strip } from "../../common/folding.ts";
import { checkLinkifier, olderForm } from "../../notation/linkifier.ts";
import type { Content, FileEntry } from "../../organization/content.ts";
import { type Difference, fieldsOf, idIn } from "../../organization/difference.ts";
import type { Snapshot } from "../../organization/snapshot.ts";
import type { ValidationError } from "../../organization/validate.ts";
import { fits } from "../../wire/fits.ts";
import { integer, object, optional } from "../../wire/types.ts";

const isLinkifier = fits(object({ ...linkifierSchema.entries, id: optional(integer) }));

/** Returns the members of the linkifier that the plan sends. */
function linkifierAfter({ organization }: Snapshot, one: Difference): FileEntry {
  if (one.action === "create") return { ...one.to, pattern: one.name };
  const current = organization.realm_linkifiers?.find((each) => each.id === idIn(one));
  return { ...current, ...Object.fromEntries(fieldsOf(one).map(({ field, to }) => [field, to])) };
}

/** Checks only changed linkifiers: the server has accepted the others. */
export function linkifierProblems(
  { linkifiers = [] }: Content,
  snapshot: Snapshot,
  differences: readonly Difference[],
): ValidationError[] {
  return differences.flatMap((one) => {
    if (one.section !== "linkifiers" || (one.action !== "create" && one.action !== "update")) return [];
    const after = linkifierAfter(snapshot, one);
    if (!isLinkifier(after)) return [];
    const older = olderForm(after);
    const refusal = checkLinkifier(after);
    if (!refusal && older === undefined) return [];
    const n = linkifiers.findIndex(({ pattern }) => typeof pattern === "string" && strip(pattern) === strip(one.name));
    const entry = linkifiers[n] ?? {};
    if (older !== undefined) return [{ path: ["linkifiers", n, "url_template"], message: older }];
    return Object.entries(refusal?.errors ?? {}).flatMap(([field, all]) =>
      all.map(
        (says): ValidationError => ({
          path: ["linkifiers", n, Object.hasOwn(entry, field) ? field : "pattern"],
          message: `the server would refuse it: ${says}`,
        }),
      ),
    );
  });
}
