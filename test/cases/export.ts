import { createExport } from "../../src/api/exports.ts";
import type { dataExport } from "../../src/commands/export.ts";
import type { State } from "../../src/sandbox/state.ts";
import { type CasesOf, change, read } from "./case.ts";

const made = ({ exports }: State, before: State) => exports.size - before.exports.size;

export const cases: CasesOf<typeof dataExport> = {
  create: change(createExport, {
    takes: ["--type <public|standard>"],
    lines: [
      { typed: "", sends: "POST /export/realm", prints: "Export 1 requested.\n", made },
      {
        typed: "--type standard --yes",
        sends: "POST /export/realm export_type=2",
        made,
        // The export is made, and is another one than was asked for.
        ignoring: { params: ["export_type"], code: 5, made: 1 },
      },
    ],
    wire: [
      ["--feature-level 442", "POST /export/realm"],
      ["--type public --feature-level 442", "POST /export/realm export_type=1"],
      ["--type standard --feature-level 442", "POST /export/realm export_type=2"],
      ["--type public --feature-level 449", "POST /export/realm export_type=public"],
      ["--type standard --feature-level 449", "POST /export/realm export_type=full_with_consent"],
    ],
  }),
  list: read({ takes: [], lines: [{ typed: "", sends: "GET /export/realm", ids: "" }] }),
};
