import type { auditNoun } from "../../src/commands/audit.ts";
import { type CasesOf, local } from "./case.ts";

const people = [
  {
    id: 9,
    delivery_email: "ada@example.com",
    full_name: "Ada",
    role: 100,
    is_active: true,
    date_joined: 1_760_000_000,
  },
  { id: 14, delivery_email: "bo@example.com", full_name: "Bo", role: 400, is_active: true, date_joined: 1_760_000_000 },
];
const row = (id: number, event_type: number, more: object) => ({
  id,
  event_time: 1_768_478_000 + id,
  event_type,
  acting_user: 9,
  extra_data: {},
  ...more,
});
const channel = { recipient: 1, invite_only: false, date_created: 1_760_000_000 };
const files = {
  "e/realm.json": JSON.stringify({
    zerver_realm: [{ id: 2, name: "Example" }],
    zerver_realmexport: [{ id: 1, date_requested: 1_768_219_200 }],
    zerver_userprofile: people,
    zerver_stream: [
      { id: 7, name: "drafts", ...channel },
      { id: 8, name: "staff", ...channel, recipient: 2, invite_only: true },
    ],
    zerver_subscription: [{ user_profile: 9, recipient: 1, active: true, is_user_active: true }],
    zerver_namedusergroup: [],
    zerver_useractivity: [{ user_profile: 9, last_visit: 1_768_470_000 }],
    zerver_realmauditlog: [
      row(1, 603, { modified_stream: 7, extra_data: { "1": "design", "2": "drafts" } }),
      row(2, 103, { modified_user: 14 }),
      row(3, 9999, {}),
    ],
  }),
  "e/messages-000001.json": JSON.stringify({
    zerver_message: [{ id: 1, sender: 9, recipient: 1, date_sent: 1_768_400_000 }],
  }),
  "e/attachment.json": JSON.stringify({
    zerver_attachment: [{ id: 3, file_name: "plan.pdf", owner: 9, size: 2_000_000, create_time: 1_768_400_000 }],
  }),
};
const setting = { anonymous: true, sends: [], files, notes: "zulipctl: read e, requested 3 days ago\n" } as const;
const head = "TIME\tBY\tCHANGE\n";
const lines = [
  "2026-01-15 11:53Z\tAda\tmade a change of type 9999\n",
  "2026-01-15 11:53Z\tAda\t! deactivated Bo\n",
  "2026-01-15 11:53Z\tAda\trenamed channel #design to drafts\n",
];
const rejected = (typed: string, says: string) => ({ typed, says, code: 2, anonymous: true }) as const;
const nobody = (typed: string, says: string) =>
  ({ ...rejected(`--from e ${typed}`, `read e, requested 3 days ago\nzulipctl: ${says}`), files }) as const;

export const cases: CasesOf<typeof auditNoun> = {
  // `test/binary/audit.test.ts` fetches exports, since it can wait for them.
  fetch: local({
    lines: "elsewhere",
    refused: [{ typed: "--to all.tar.gz", as: 300, says: "Must be an organization administrator" }],
  }),
  log: local({
    lines: [
      { ...setting, typed: "--from e", prints: head + lines.join("") },
      {
        ...setting,
        typed: "--from e --target design",
        prints: head + lines[2],
        json: '[{"id":1,"time":"2026-01-15T11:53:21.000Z","by":{"id":9,"email":"ada@example.com","name":"Ada"},"action":"channel.renamed","target":{"kind":"channel","id":7,"name":"design","name_now":"drafts"},"subject":null,"property":"name","from":"design","to":"drafts","destructive":false}]\n',
      },
      { ...setting, typed: "--from e --destructive --by ada@example.com", prints: head + lines[1] },
      { ...setting, typed: "--from e --after 2", prints: head + lines[0] },
    ],
    refused: [
      rejected("--from nowhere", "--from: file not found: nowhere"),
      nobody(
        "--by add@example.com",
        '--by: nothing in this export is called "add@example.com"\nDid you mean: ada@example.com, bo@example.com?',
      ),
      nobody("--target stafff", '--target: nothing in this export is called "stafff"\nDid you mean: staff?'),
      nobody("--target zzzzzzzz", '--target: nothing in this export is called "zzzzzzzz"'),
    ],
  }),
  people: local({
    lines: [
      {
        ...setting,
        typed: "--from e --role owner",
        notes: `${setting.notes}1 account. Messages in private channels and direct messages are not counted.\n`,
        prints: "ID\tNAME\tEMAIL\tROLE\tLAST ACTIVE\tMESSAGES\n9\tAda\tada@example.com\towner\t2026-01-15 09:40Z\t1\n",
        ids: "9\n",
        json: '[{"id":9,"name":"Ada","email":"ada@example.com","role":"owner","is_bot":false,"is_active":true,"last_active":"2026-01-15T09:40:00.000Z","joined":"2025-10-09T08:53:20.000Z","messages":1}]\n',
      },
    ],
    refused: [rejected("--from nowhere", "--from: file not found: nowhere")],
  }),
  channels: local({
    lines: [
      {
        ...setting,
        typed: "--from e",
        prints:
          "ID\tNAME\tPRIVACY\tSUBSCRIBERS\tLAST MESSAGE\tMESSAGES\n8\tstaff\tprivate\t0\tunknown\tunknown\n7\tdrafts\tpublic\t1\t2026-01-14 14:13Z\t1\n",
        ids: "8\n7\n",
        json:
          '[{"id":8,"name":"staff","privacy":"private","archived":false,"subscribers":0,"last_message":null,"created":"2025-10-09T08:53:20.000Z","messages":null},\n' +
          '{"id":7,"name":"drafts","privacy":"public","archived":false,"subscribers":1,"last_message":"2026-01-14T14:13:20.000Z","created":"2025-10-09T08:53:20.000Z","messages":1}]\n',
      },
    ],
    refused: [rejected("--from nowhere", "--from: file not found: nowhere")],
  }),
  uploads: local({
    lines: [
      {
        ...setting,
        typed: "--from e --larger-than 1MB",
        notes: `${setting.notes}A public export holds uploads of public channels only.\n`,
        prints: "ID\tNAME\tOWNER\tSIZE\tCREATED\n3\tplan.pdf\tada@example.com\t1.9 MiB\t2026-01-14 14:13Z\n",
        ids: "3\n",
        json: '[{"id":3,"name":"plan.pdf","owner":{"id":9,"email":"ada@example.com","name":"Ada"},"size":2000000,"created":"2026-01-14T14:13:20.000Z"}]\n',
      },
    ],
    refused: [rejected("--from nowhere", "--from: file not found: nowhere")],
  }),
};
