/** Groups the changes of a plan: like changes of several things are one paragraph with all names. */

import { listAttributes } from "../../model/kinds/lists.ts";
import type { Deactivated } from "../compare/findings.ts";
import { type Difference, type FieldChange, fieldsOf, idIn, isCreation } from "../difference.ts";
import { listChanges, same } from "../id-values.ts";
import { hasAccounts } from "../section-names.ts";
import { differenceTitle, sections } from "../section-registry.ts";
import type { Person } from "../snapshot.ts";
import { mostNames } from "./limits.ts";
import { joined, type Paragraph, type Sign, type SingleChange } from "./lines.ts";
import type { Wording } from "./wording.ts";

/** By action, the sign of its line, and what follows the name. */
const actions: Readonly<Record<Difference["action"], readonly [sign: Sign, remark?: string]>> = {
  create: ["+"],
  invite: ["+", "invited"],
  update: ["~"],
  unarchive: ["~", "unarchived"],
  reactivate: ["~", "reactivated"],
  reorder: ["~"],
  archive: ["-", "archived"],
  deactivate: ["-", "deactivated"],
  remove: ["-"],
};

export const signOf = ({ action }: Difference): Sign => actions[action][0];

/** Returns the fields whose values differ. */
export const differing = (one: Difference): FieldChange[] => fieldsOf(one).filter(({ from, to }) => !same(from, to));

/** Lists whose lines show only what is added and removed. */
export const isList = (field: string): boolean => listAttributes.has(field);

/** Returns whether the title already says the value. */
const isInName = (section: Difference["section"], field: string): boolean =>
  ["email", "pattern", "domain"].includes(field) || (field === "name" && section !== "bots");

/** Returns the values that a paragraph about a new thing shows. Empty lists are the default. */
export const newValues = (one: Difference): [field: string, value: unknown][] =>
  isCreation(one)
    ? Object.entries(one.to).filter(
        ([field, to]) => !isInName(one.section, field) && !(Array.isArray(to) && !to.length),
      )
    : [];

/** Returns what two changes have in common if they say the same of two things. */
function contentOf(one: Difference): unknown {
  if (one.action === "reorder") return one.to;
  if (isCreation(one)) return [newValues(one), one.through];
  return differing(one).map(({ field, of, from, to, through }) =>
    isList(field) ? [field, ...listChanges(from, to), through] : [field, of, from, to],
  );
}

function detailsOf(wording: Wording, one: Difference): string[] {
  const { section } = one;
  if (one.action === "reorder") {
    const [from, to] = [one.from, one.to].map((all) => wording.order(section, all).join(", "));
    return [`from: ${from}`, `to: ${to}`];
  }
  if (isCreation(one))
    return newValues(one).map(([field, to]) => wording.ofNewThing(section, field, to, one.through?.[field]));
  return differing(one).map((change) => wording.line(section, change));
}

/** Returns the name of a thing, without its kind. */
function nameOf(one: Difference, people: ReadonlyMap<unknown, Person>): string {
  const { section, name } = one;
  const person = hasAccounts(section) ? people.get(idIn(one))?.full_name : undefined;
  if (person !== undefined) return person === name ? person : `${person} (${name})`;
  const renamed = fieldsOf(one).find(({ field }) => field === "name" || field === "pattern");
  return renamed ? `${name} (was ${renamed.from})` : name;
}

interface ParagraphOptions {
  readonly wording: Wording;
  readonly people: ReadonlyMap<unknown, Person>;
  /** Show only the names of changes that are not destructive. */
  readonly brief?: boolean | undefined;
}

/** Returns paragraphs for deactivated accounts that the file describes. */
export function deactivatedParagraphs(all: readonly Deactivated[], people: ReadonlyMap<unknown, Person>): Paragraph[] {
  const singles = all.map(({ section, name: address, id, deleted }): SingleChange => {
    const fullName = people.get(id)?.full_name;
    const name = fullName === undefined || fullName === address ? address : `${fullName} (${address})`;
    const reactivating = deleted ? "" : '"active: true" in the file reactivates it, ';
    return {
      sign: "~",
      title: differenceTitle({ section, name }),
      name,
      plural: sections[section].plural,
      remark: `${deleted ? "deleted" : "deactivated"}, and stays so`,
      content: () => "",
      details: () => [`${reactivating}"active: false" accepts it`],
      destructive: [],
      prune: false,
    };
  });
  return joined(singles, {});
}

/** Returns a paragraph for all changes that say the same of things of one section, in the order of the first of each. */
export function paragraphsOf(
  all: readonly Difference[],
  { wording, people, brief = false }: ParagraphOptions,
): Paragraph[] {
  const singles = all.map((one): SingleChange => {
    const { section, action, prune = false, destructive = [], irreversible = [] } = one;
    const [sign, says] = actions[action];
    const name = nameOf(one, people);
    const isUnique = section === "settings" || section === "new_users" || action === "reorder";
    return {
      sign,
      title: differenceTitle({ section, action, name }),
      name,
      ...(!isUnique && { plural: sections[section].plural }),
      remark: [says, prune && "only with --prune"].filter(Boolean).join(", "),
      content: () => contentOf(one),
      details: () => detailsOf(wording, one),
      destructive: destructive.map((says) => ({ says, irreversible: irreversible.includes(says) })),
      prune,
    };
  });
  return joined(singles, { brief, ...(brief && { mostNames }) });
}
