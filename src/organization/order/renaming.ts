/** How a thing gets another name: once that is free, and by way of a third one where each waits for the next in a circle. */
import type { FieldChange } from "../difference.ts";
import type { SectionName } from "../words.ts";
import { type OrderContext, whole } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";
import { nameFact } from "./names.ts";

interface Thing {
  readonly section: SectionName;
  readonly id: number | undefined;
}

const standsAside = ({ section, id }: Thing): string => `${section} ${id} stands aside`;

/** Of the request that gives a thing its name. What stands aside has freed its old one before. */
export const renamed = (
  { asides }: Pick<OrderContext, "asides">,
  of: number,
  thing: Thing,
  { from, to }: Pick<FieldChange, "from" | "to">,
): Required<Pick<Facts, "needs" | "provides">> => {
  const wanted = nameFact(thing.section, to);
  return asides.has(of)
    ? { needs: [wanted, standsAside(thing)], provides: [] }
    : { needs: [wanted], provides: [nameFact(thing.section, from)] };
};

/** The request that gives a thing another name for a while; none where nothing waits for it in a circle. */
export function setAside(
  { asides }: Pick<OrderContext, "asides">,
  of: number,
  thing: Thing,
  from: unknown,
  request: (name: string) => Pick<Draft, "operation" | "args" | "needs">,
): Draft[] {
  const name = asides.get(of);
  if (name === undefined) return [];
  return [
    whole({
      of,
      part: "aside",
      does: "temporary name",
      ...request(name),
      provides: [nameFact(thing.section, from), standsAside(thing)],
    }),
  ];
}
