/** What asks for an export. */
import { createExport } from "../../api/exports.ts";
import { type Change, change } from "../../engine/change.ts";

/** What the flag says, in the words of the newest servers; `wire` turns them into what older ones expect. */
const types = { public: "public", standard: "full_with_consent" } as const;

export type ExportType = keyof typeof types;

export const requested = ({ type }: { type?: ExportType }): Change =>
  change(
    createExport,
    { export_type: type && types[type] },
    {
      target: type ?? "public",
      done: "Requested export {id}.",
      ids: "id",
      verifyWith: "zulipctl export list",
      flags: type ? { export_type: "--type" } : {},
      confirm:
        type === "standard"
          ? { question: "Export private data", consequence: "It holds what people who consented wrote in private." }
          : undefined,
    },
  );
