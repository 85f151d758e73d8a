/** The organization's simple collections: how they are shown and sent as events. */
import { everyKind, kinds } from "../model/kinds/index.ts";
import { requireFound } from "./answers.ts";
import { sendToAll } from "./events/queue.ts";
import { type HandlerContext, since } from "./router.ts";
import type { Collections } from "./stored-collections.ts";

export const noCollections = (): Collections => ({ linkifiers: [], profile_fields: [], domains: [], playgrounds: [] });

interface CollectionView {
  /** The name of the part of `register`, and its member. */
  type: string;
  records(context: HandlerContext): object;
}

/** Returns the part of `register` that the statement of a kind names. */
const typeOf = ({ registered }: { registered: { parts: readonly [string] } }): string => registered.parts[0];

export const collections: { readonly [N in keyof Collections]: CollectionView } = {
  linkifiers: {
    type: typeOf(kinds.linkifier),
    records: ({ state, level }) =>
      state.linkifiers.map(({ example_input, reverse_template, alternative_url_templates, ...linkifier }) => ({
        ...linkifier,
        ...since(level, 471, { example_input, reverse_template }),
        ...since(level, 478, { alternative_url_templates }),
      })),
  },
  profile_fields: {
    type: typeOf(kinds.profile_field),
    records: ({ state, level }) =>
      state.profile_fields.map(({ display_in_profile_summary, use_for_user_matching, ...field }) => ({
        ...field,
        // Both are present only if true.
        ...(use_for_user_matching ? since(level, 455, { use_for_user_matching }) : {}),
        ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
      })),
  },
  domains: {
    type: typeOf(kinds.domain),
    records: ({ state }) => state.domains.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains })),
  },
  playgrounds: { type: typeOf(kinds.playground), records: ({ state }) => state.playgrounds },
};

export const itemById = <T extends { id: number }>(items: readonly T[], id: number, refusal: string): T =>
  requireFound(
    items.find((each) => each.id === id),
    refusal,
  );

/** By type of event, the member with the whole collection. */
const eventMember = new Map(
  everyKind.flatMap(([, { events = {} }]) =>
    Object.entries(events).flatMap(([type, told]): [string, string][] => ("whole" in told ? [[type, told.whole]] : [])),
  ),
);

/** Sends everybody the collection as it is now. */
export function sendCollection(context: HandlerContext, name: keyof Collections): void {
  const { type, records } = collections[name];
  const member = eventMember.get(type) ?? type;
  sendToAll(context, { type, [member]: records(context) });
}
