/** The organization's simple collections: how they are stored, shown and sent as events. */
import type { addDomain } from "../api/domains.ts";
import type { addPlayground } from "../api/playgrounds.ts";
import type { ArgsOf } from "../wire/operation.ts";
import { requireFound } from "./answers.ts";
import { sendToAll } from "./events/queue.ts";
import { type Context, since } from "./router.ts";

export interface Linkifier {
  id: number;
  pattern: string;
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
}

export interface ProfileField {
  id: number;
  name: string;
  type: number;
  hint: string;
  field_data: string;
  order: number;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary: boolean;
  use_for_user_matching: boolean;
}

/** In display order. Linkifiers apply in this order too. */
export interface Collections {
  linkifiers: Linkifier[];
  profile_fields: ProfileField[];
  domains: ({ id: number } & ArgsOf<typeof addDomain>)[];
  playgrounds: ({ id: number } & ArgsOf<typeof addPlayground>)[];
}

interface CollectionView {
  /** The name of the part of `register`, its member, and the event. */
  type: string;
  /** The member of the event. Default: `type`. */
  member?: string;
  records(context: Context): object;
}

export const collections: { readonly [N in keyof Collections]: CollectionView } = {
  linkifiers: {
    type: "realm_linkifiers",
    records: ({ state, level }) =>
      state.linkifiers.map(({ example_input, reverse_template, alternative_url_templates, ...linkifier }) => ({
        ...linkifier,
        ...since(level, 471, { example_input, reverse_template }),
        ...since(level, 478, { alternative_url_templates }),
      })),
  },
  profile_fields: {
    type: "custom_profile_fields",
    member: "fields",
    records: ({ state, level }) =>
      state.profile_fields.map(({ display_in_profile_summary, use_for_user_matching, ...field }) => ({
        ...field,
        // Both are present only if true.
        ...(use_for_user_matching ? since(level, 455, { use_for_user_matching }) : {}),
        ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
      })),
  },
  domains: {
    type: "realm_domains",
    records: ({ state }) => state.domains.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains })),
  },
  playgrounds: { type: "realm_playgrounds", records: ({ state }) => state.playgrounds },
};

export const itemById = <T extends { id: number }>(items: readonly T[], id: number, refusal: string): T =>
  requireFound(
    items.find((each) => each.id === id),
    refusal,
  );

/** Sends everybody the collection as it is now. */
export function sendCollection(context: Context, name: keyof Collections): void {
  const { type, member = type, records } = collections[name];
  sendToAll(context, { type, [member]: records(context) });
}
