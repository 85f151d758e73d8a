import { createExport, removeExport } from "../../src/api/exports.ts";
import type { exportNoun } from "../../src/commands/export.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, local, read, usage } from "./case.ts";

const createdCount = ({ exports }: SandboxState, before: SandboxState) => exports.size - before.exports.size;

/** Adds export 1, which is ready. */
const addExport = ({ exports, organization }: SandboxState) => {
  organization.export_size = 20_480;
  exports.set(1, {
    id: 1,
    acting_user_id: 8,
    export_type: "public",
    export_time: 0,
    ready_time: 1,
    deleted_time: null,
    secret: "secret",
    bytes: new Uint8Array(20 * 1024),
  });
};

const link = "https://chat.example/user_avatars/exports/2/secret/zulip-export-1.tar.gz";
const record =
  `{"id":1,"acting_user_id":8,"export_time":0,"export_url":"${link}","deleted_timestamp":null,` +
  '"failed_timestamp":null,"pending":false,"export_type":"public","export_from_prior_server":false}\n';

export const cases: CasesOf<typeof exportNoun> = {
  create: change(createExport, {
    lines: [
      { typed: "", sends: "POST /export/realm", prints: "Requested export 1.\n", made: createdCount },
      {
        typed: "--type standard --yes",
        sends: "POST /export/realm export_type=full_with_consent",
        made: createdCount,
        // The server makes an export of another type.
        ignoring: { params: ["export_type"], code: 5, made: 1 },
      },
    ],
    wire: Object.entries({
      "--feature-level 442": "POST /export/realm",
      "--type public --feature-level 442": "POST /export/realm export_type=1",
      "--type standard --feature-level 442": "POST /export/realm export_type=2",
      "--type public --feature-level 449": "POST /export/realm export_type=public",
      "--type standard --feature-level 449": "POST /export/realm export_type=full_with_consent",
    }),
    refused: [
      ...usage({
        "--type standard":
          "confirmation required: stdin is not a terminal. Export private data on chat.example? It holds what people who consented wrote in private. Pass --yes to confirm.",
        "--to x": "--to requires --wait",
        "--wait-timeout 5": "--wait-timeout requires --wait",
        "--overwrite": "--overwrite requires --wait",
        "--wait --overwrite": "--overwrite requires --to",
        "--wait --to none/x": "cannot write none/x: its directory does not exist",
      }),
      {
        typed: "--type public",
        level: 300,
        says: "--type public requires feature level 304; chat.example has level 300",
      },
      {
        typed: "--type full_without_consent --yes",
        level: 448,
        says: "--type full_without_consent requires feature level 449; chat.example has level 448",
      },
      {
        typed: "--type full_without_consent --yes",
        level: 449,
        says: "permission denied: owners of this organization have no access to all content\nOnly the server's operator can allow it, with manage.py (owner_full_content_access).",
      },
    ],
  }),
  list: read({ lines: [{ typed: "", sends: "GET /export/realm", ids: "" }] }),
  wait: local({
    lines: [
      {
        typed: "1",
        given: addExport,
        sends: "GET /export/realm",
        prints: `Export 1 is ready: ${link}\n`,
        ids: "1\n",
        json: record,
      },
    ],
    refused: [
      { typed: "7", says: "export 7 not found\nList them with: zulipctl export list" },
      { typed: "1", as: 300, says: "Must be an organization administrator" },
    ],
  }),
  download: local({
    lines: [
      {
        typed: "1 --to all.tar.gz",
        given: addExport,
        sends: ["GET /export/realm", `GET ${link}`],
        prints: "Export 1 saved as all.tar.gz (20.0 KiB).\n",
        ids: "1\n",
      },
    ],
    refused: [{ typed: "1", as: 300, says: "Must be an organization administrator" }],
  }),
  rm: change(removeExport, {
    several: true,
    lines: [
      {
        typed: "1 --yes",
        given: addExport,
        sends: ["GET /export/realm", "DELETE /export/realm/1"],
        prints: "Deleted the file of export 1.\n",
        made: ({ exports }) => exports.get(1)!.deleted_time !== null,
      },
    ],
    wire: [["7 8", ["GET /export/realm", "DELETE /export/realm/7", "DELETE /export/realm/8"]]],
    refused: [
      { typed: "7 --yes", says: "Invalid data export ID" },
      ...usage({
        "1": "confirmation required: stdin is not a terminal. Delete the file of export 1 on chat.example? This cannot be undone. Pass --yes to confirm.",
      }),
      { typed: "1 --yes", given: addExport, as: 300, says: "Must be an organization administrator" },
    ],
  }),
  consents: read({
    lines: [{ typed: "-o ids", sends: "GET /export/realm/consents" }],
    refused: [{ typed: "", as: 300, says: "Must be an organization administrator" }],
  }),
};
