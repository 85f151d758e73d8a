/** The organization's simple collections: how they are shown and sent as events. */
import { keyedAs } from "../common/object-members.ts";
import { kindNamed, kindNames, kinds } from "../model/kinds/index.ts";
import { requireFound } from "./answers.ts";
import { sendToAll } from "./events/queue.ts";
import { type HandlerContext, since } from "./router.ts";
import { type CollectionKind, type Collections, isCollection } from "./stored-collections.ts";

const collectionKinds = kindNames.filter(isCollection);
const stateMember = <K extends CollectionKind>(kind: K): (typeof kinds)[K]["section"] => kinds[kind].section;

export const noCollections = (): Collections => keyedAs(collectionKinds, stateMember, () => []);

/** The records as servers show them, where the state has more. */
const views: { readonly [K in CollectionKind]?: (context: HandlerContext) => object } = {
  linkifier: ({ state, level }) =>
    state.linkifiers.map(({ example_input, reverse_template, alternative_url_templates, ...linkifier }) => ({
      ...linkifier,
      ...since(level, 471, { example_input, reverse_template }),
      ...since(level, 478, { alternative_url_templates }),
    })),
  profile_field: ({ state, level }) =>
    state.profile_fields.map(({ display_in_profile_summary, use_for_user_matching, ...field }) => ({
      ...field,
      // Both are present only if true.
      ...(use_for_user_matching ? since(level, 455, { use_for_user_matching }) : {}),
      ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
    })),
  domain: ({ state }) => state.domains.map(({ id, ...domain }) => domain),
};

export const collectionRecords = (context: HandlerContext, kind: CollectionKind): object =>
  views[kind]?.(context) ?? context.state[kinds[kind].section];

/** The parts of `register` that have the collections. */
export const collectionParts: Readonly<Record<string, (context: HandlerContext) => object>> = keyedAs(
  collectionKinds,
  (kind) => kinds[kind].registered.parts[0],
  (kind) => (context) => ({ [kinds[kind].registered.parts[0]]: collectionRecords(context, kind) }),
);

export const itemById = <T extends { id: number }>(items: readonly T[], id: number, refusal: string): T =>
  requireFound(
    items.find((each) => each.id === id),
    refusal,
  );

/** Sends everybody the collection as it is now. */
export function sendCollection(context: HandlerContext, kind: CollectionKind): void {
  for (const [type, event] of Object.entries(kindNamed(kind).events ?? {}))
    if ("whole" in event) sendToAll(context, { type, [event.whole]: collectionRecords(context, kind) });
}
