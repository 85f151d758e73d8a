import { ifKnown } from "../wire/impact.ts";
import { fileOperation, operation } from "../wire/operation.ts";
import { json, link, maybe, textOf } from "../wire/params.ts";
import {
  boolean,
  either,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  type Value,
  word,
} from "../wire/types.ts";

export const exportTypes = ["public", "full_with_consent", "full_without_consent"] as const;
/** Servers below level 449 have numbers. */
export const exportTypeNumbers: Partial<Record<(typeof exportTypes)[number], number>> = {
  public: 1,
  full_with_consent: 2,
};

/** From this level on, exports have these words for their type. */
export const typeWordsSince = 449;

/** https://zulip.com/api/export-realm */
export const createExport = operation("export.create", "POST /export/realm", {
  effects: ({ export_type: type }) => [{ does: "export", type }],
  who: { role: "administrator", owners: "export private data without consent" },
  params: {
    export_type: maybe(
      textOf(word(...exportTypes), {
        since: 304,
        older: [
          { below: typeWordsSince, encoding: "json", convert: (type) => exportTypeNumbers[type], type: oneOf(1, 2) },
        ],
      }),
    ),
  },
  result: { id: optional(integer) },
});

const dataExport = object({
  id: integer,
  acting_user_id: optional(nullable(integer)),
  export_time: number,
  pending: boolean,
  export_url: optional(nullable(string)),
  failed_timestamp: optional(nullable(number)),
  deleted_timestamp: optional(nullable(number)),
  /** A word from level 449 on, a number before. */
  export_type: optional(either(string, integer)),
  /** Made before the organization moved to this server, which cannot give or delete the file. */
  export_from_prior_server: optional(boolean),
});
export type DataExport = Value<typeof dataExport>;

/** https://zulip.com/api/get-realm-exports */
export const getExports = operation("export.list", "GET /export/realm", {
  who: { role: "administrator" },
  result: { exports: list(dataExport) },
});

/** The link needs no credentials. It may lead to a bucket. */
export const getExportFile = fileOperation("export.file", "{export_url}", {
  params: { export_url: link() },
});

/** Deletes the file. The export stays in the list. */
export const removeExport = operation("export.rm", "DELETE /export/realm/{export_id}", {
  effects: ({ export_id }) => ifKnown(export_id, (id) => ({ does: "remove", kind: "export", id })),
  who: { role: "administrator" },
  params: { export_id: json(integer) },
});

/** https://zulip.com/api/get-realm-export-consents */
export const getConsents = operation("export.consents", "GET /export/realm/consents", {
  who: { role: "administrator" },
  result: { export_consents: list(object({ user_id: integer, consented: boolean })) },
});
