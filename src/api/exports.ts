import { file, operation } from "../wire/operation.ts";
import { json, link, maybe, words } from "../wire/params.ts";
import {
  boolean,
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
const numbers: Partial<Record<(typeof exportTypes)[number], number>> = { public: 1, full_with_consent: 2 };

/** https://zulip.com/api/export-realm */
export const createExport = operation({
  name: "export.create",
  method: "POST",
  path: "/export/realm",
  doc: "Request an export of the organization's data.",
  who: { role: "administrator" },
  params: {
    export_type: maybe(
      words(word(...exportTypes), {
        doc: "Public data only, or the private data of people who consented too.",
        since: 304,
        earlier: [{ below: 449, travel: "json", convert: (type) => numbers[type], type: oneOf(1, 2) }],
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
});
export type DataExport = Value<typeof dataExport>;

/** https://zulip.com/api/get-realm-exports */
export const getExports = operation({
  name: "export.list",
  method: "GET",
  path: "/export/realm",
  doc: "Data exports.",
  who: { role: "administrator" },
  params: {},
  result: { exports: list(dataExport) },
});

/** Whoever knows the link may fetch it; where the server keeps its files in a bucket, it leads there. */
export const getExportFile = file({
  name: "export.file",
  path: "{export_url}",
  doc: "The file of an export.",
  params: { export_url: link({ doc: "As the list of exports has it." }) },
});

/** The row stays in the list; the file is gone. */
export const removeExport = operation({
  name: "export.rm",
  method: "DELETE",
  path: "/export/realm/{export_id}",
  doc: "Delete the file of an export.",
  who: { role: "administrator" },
  params: { export_id: json(integer, { doc: "The export's id." }) },
  result: {},
  target: ({ export_id }) => `export ${export_id}`,
});

/** https://zulip.com/api/get-realm-export-consents */
export const getConsents = operation({
  name: "export.consents",
  method: "GET",
  path: "/export/realm/consents",
  doc: "Who consented to the export of private data.",
  who: { role: "administrator" },
  since: 295,
  params: {},
  result: { export_consents: list(object({ user_id: integer, consented: boolean })) },
});
