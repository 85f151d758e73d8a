/** The records of the organization's simple collections, as the state has them. */
import type { addDomain } from "../api/domains.ts";
import type { addPlayground } from "../api/playgrounds.ts";
import type { ArgsOf } from "../wire/operation.ts";

export interface StoredLinkifier {
  id: number;
  pattern: string;
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
}

export interface StoredProfileField {
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
  linkifiers: StoredLinkifier[];
  profile_fields: StoredProfileField[];
  domains: ({ id: number } & ArgsOf<typeof addDomain>)[];
  playgrounds: ({ id: number } & ArgsOf<typeof addPlayground>)[];
}
