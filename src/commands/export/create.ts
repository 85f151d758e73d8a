import { createExport } from "../../api/exports.ts";
import { change } from "../../engine/change.ts";
import type { Context } from "../../shell/context.ts";

/** What the flag says, in the words of the newest servers; `wire` turns them into what older ones expect. */
const types = { public: "public", standard: "full_with_consent" } as const;

export async function create(_context: Context, { type }: { type?: keyof typeof types }) {
  return [
    change(
      createExport,
      { export_type: type && types[type] },
      {
        target: type ?? "public",
        done: "Export {id} requested.",
        verifyWith: "zulipctl export list",
        ids: "id",
        confirm: type === "standard" ? "This exports private data of the people who consented" : undefined,
      },
    ),
  ];
}
