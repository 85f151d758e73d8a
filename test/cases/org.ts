import type { orgNoun } from "../../src/commands/org.ts";
import { type CasesOf, local, usage } from "./case.ts";

const told = [
  "client_gravatar=true",
  "include_subscribers=true",
  `client_capabilities=${encodeURIComponent(
    '{"notification_settings_null":false,"linkifier_url_template":true,"include_deactivated_groups":true,"archived_channels":true}',
  )}`,
  "event_types=%5B%5D",
  `fetch_event_types=${encodeURIComponent(
    '["realm","realm_user_settings_defaults","default_streams","custom_profile_fields","realm_user","realm_user_groups",' +
      '"stream","subscription","realm_linkifiers","realm_domains","realm_playgrounds","realm_emoji"]',
  )}`,
].join("&");

/** What is asked for a snapshot of a whole organization, but for its invitations. */
export const snapshotReads = [
  `POST /register ${told}`,
  "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
  "GET /channel_folders?include_archived=true",
];

/** All reads, whatever the organization's size. */
const reads = [...snapshotReads, "GET /invites"];

/** With presence, and invitations. */
export const findingReads = [
  snapshotReads[0]!
    .replace("&include", "&slim_presence=true&presence_history_limit_days=36500&include")
    .replace(/%5D$/, "%2C%22presence%22%5D"),
  ...snapshotReads.slice(1),
  "GET /invites",
];

const refused = {
  says: "only administrators and owners see the whole organization\nYou are logged in as mona@sandbox.example. Use another account with --profile.",
  as: 300,
  // The queue was made and deleted.
  partly: true as const,
};

export const cases: CasesOf<typeof orgNoun> = {
  export: local({
    lines: [{ typed: "-o json --only folders", sends: reads }],
    refused: [{ typed: "", ...refused }, ...usage({ "--from none.json": "--from: file not found: none.json" })],
  }),
  plan: local({
    lines: [
      {
        typed: "organization.yaml --out plan.json",
        files: {
          "organization.yaml":
            "folders:\n  - name: Projects\n    description: What we are making\nchannels:\n  - name: design\n    folder: null\n" +
            "    subscribers: { remove: [otis@sandbox.example] }\n",
        },
        sends: reads,
        prints:
          "https://chat.example as iris@sandbox.example, level 500\n\n" +
          '~ folder Projects\n    description: "What we are **making**" → "What we are making"\n' +
          "~ channel design\n    folder: Projects → none\n    subscribers: − Otis Member\n  ! takes 1 person out\n\n" +
          "2 to change. 3 requests.\n" +
          "Not in the file: 4 profile fields, 6 people, 1 bot, 3 groups, 5 channels, 2 linkifiers.\n",
        notes:
          'zulipctl: the file has no "complete": things that it does not list in folders, channels are no difference\n',
      },
    ],
    refused: [
      { typed: "organization.yaml", files: { "organization.yaml": "folders: []\n" }, ...refused },
      {
        typed: "organization.yaml",
        files: { "organization.yaml": "channels:\n  - name: staff\n    subscribers: [adam@sandbox.exmple]\n" },
        code: 2,
        partly: true,
        says:
          "1 problem in organization.yaml\n  organization.yaml, line 3, column 19: no person with the e-mail address " +
          "adam@sandbox.exmple; did you mean adam@sandbox.example?",
      },
    ],
  }),
  diff: local({
    lines: [
      {
        typed: "now.yaml then.yaml --only folders",
        files: {
          "now.yaml": "folders:\n  - name: Projects\n    description: What we make\n",
          "then.yaml": "folders:\n  - name: Projects\n    description: What we made\n",
        },
        sends: reads,
        prints:
          "https://chat.example as iris@sandbox.example, level 500\n\n" +
          '~ folder Projects\n    description: "What we make" → "What we made"\n\n1 to change.\n',
      },
    ],
    refused: [
      {
        typed: "now.yaml then.yaml",
        files: { "now.yaml": "folders: []\n", "then.yaml": "folders: []\n" },
        ...refused,
      },
      ...usage({
        "none.yaml prod":
          '<a>: "none.yaml" is not a file, a folder or a profile\nCreate a profile with: zulipctl fetch-key --site <url>',
      }),
    ],
  }),
  apply: local({
    lines: [
      {
        typed: "organization.yaml --no-verify -q --yes",
        files: { "organization.yaml": "folders:\n  - name: Projects\n    description: What we make\n" },
        sends: [
          ...reads,
          snapshotReads[0]!,
          "DELETE /events queue_id=8c60fcc3-3ae6-7fa7-a88b-b4402d7501fc",
          "GET /channel_folders?include_archived=true",
          "GET /invites",
          "PATCH /channel_folders/1 description=What+we+make",
        ],
        prints: "ROW\tTARGET\tOUTCOME\tRESULT\n1\tfolder Projects\tdone\tdescription.\n",
      },
    ],
    refused: [
      { typed: "organization.yaml", files: { "organization.yaml": "folders: []\n" }, ...refused },
      ...usage({ "": "missing file\nFor example: zulipctl org apply organization.yaml" }),
    ],
  }),
  schema: local({ lines: [{ typed: "-o json", sends: [] }] }),
  snapshot: local({
    lines: [
      {
        typed: "--to organization.json",
        sends: findingReads,
        // Each new setting adds a few bytes.
        prints:
          /^Snapshot of https:\/\/chat\.example saved as organization\.json \(\d+\.\d KiB\): 7 people, 7 channels, 11 groups\.\n$/,
        ids: "",
      },
    ],
    refused: [
      { typed: "--to organization.json", ...refused },
      {
        typed: "--to organization.json",
        files: { "organization.json": "" },
        code: 2,
        says: "organization.json already exists\nPass --overwrite to replace it, or choose another name with --to.",
      },
    ],
  }),
};
