/** The records of the organization's simple collections, as the state has them. */
import type { OperationBy } from "../api/registry.ts";
import type { KindName, kinds } from "../model/kinds/index.ts";
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

/** Kinds whose things the state has in maps of their own, or among others. */
const special = [
  ...(["user", "bot", "group", "folder", "channel", "emoji"] as const),
  ...(["invitation", "draft", "attachment", "export"] as const),
] as const;

/** Kinds whose things are in one list of the state and in one part of `register`. A new kind is such a kind. */
export type CollectionKind = Exclude<KindName, (typeof special)[number]>;

const specialKinds: ReadonlySet<KindName> = new Set(special);
export const isCollection = (kind: KindName): kind is CollectionKind => !specialKinds.has(kind);

type StatedKind<K extends KindName> = (typeof kinds)[K];
type ListsOf<K extends KindName> =
  StatedKind<K> extends { readonly lists: Readonly<Record<string, infer L extends { readonly member: string }>> }
    ? Record<L["member"], number[]>
    : object;

/** Records that have more than what a request creates. */
interface OtherForms {
  linkifier: StoredLinkifier;
  profile_field: StoredProfileField;
}

type Stored<K extends CollectionKind> = K extends keyof OtherForms
  ? OtherForms[K]
  : { id: number } & ArgsOf<OperationBy<StatedKind<K>["create"][0]>> & ListsOf<K>;

/** In display order. Linkifiers apply in this order too. */
export type Collections = { [K in CollectionKind as StatedKind<K>["section"]]: Stored<K>[] };
