import type { permissionsNoun } from "../../src/commands/permissions.ts";
import { findingNames } from "../../src/permissions/findings/finding-kinds.ts";
import { zulipctl } from "../run.ts";
import { type CasesOf, local, read, usage } from "./case.ts";
import { findingReads, snapshotReads } from "./org.ts";

/** A fresh sandbox as a snapshot file. */
async function snapshot(): Promise<string> {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "saved.json"], { files });
  return files.get("saved.json")!;
}
const snapshotText = await snapshot();

export const cases: CasesOf<typeof permissionsNoun> = {
  list: read({
    lines: [
      {
        typed: "--channel design --permission can-send-message",
        sends: snapshotReads,
        prints:
          "SCOPE\tTARGET\tPERMISSION\tGRANTED TO\tPEOPLE\tGUESTS\tBOTS\tWHY\tTITLE\n" +
          "channel\tdesign\tcan_send_message_group\trole:everyone\t6\t1\t1\t\tSend message\n",
        ids: "1\n",
      },
    ],
  }),
  who: read({
    lines: [
      {
        typed: "read --channel staff",
        sends: snapshotReads,
        prints:
          "ID\tNAME\tEMAIL\tROLE\tSTATE\tTHROUGH\n" +
          "8\tIris Owner\tiris@sandbox.example\towner\t\tsubscriber\n" +
          "9\tAdam Admin\tadam@sandbox.example\tadministrator\t\tsubscriber\n",
        notes: "read: what was sent before they came is another permission, history\n",
        ids: "8\n9\n",
      },
    ],
    refused: [
      ...usage({
        post: "<permission>: post is a permission of channels\nSay which one: --channel.",
        "pots --channel staff": '<permission>: unknown permission "pots" of channels\nDid you mean: post?',
        "post --channel staff --group designers": "--channel cannot be combined with --group",
      }),
    ],
  }),
  check: read({
    lines: [
      {
        typed: "cora@sandbox.example post --channel general",
        sends: snapshotReads,
        prints:
          "yes\n" +
          "  role:everyone › role:members › Cora Member\n" +
          "  role:everyone › role:members › role:fullmembers › Cora Member\n",
        json:
          '{"allowed":true,"scope":"channel","target":"general","target_id":2,"permission":"post",' +
          '"ways":[["role:everyone","role:members"],["role:everyone","role:members","role:fullmembers"]],"missing":[]}\n',
        ids: "",
      },
    ],
    refused: [
      {
        typed: "gwen@sandbox.example can-join --group designers",
        code: 8,
        prints: "no\n  guests never can\n",
        says: "Gwen Guest may not join @designers",
        partly: true,
      },
    ],
  }),
  of: read({
    lines: [
      {
        typed: "dora@sandbox.example",
        sends: snapshotReads,
        prints: "SCOPE\tTARGET\tPERMISSION\tTHROUGH\n",
        ids: "",
      },
    ],
    refused: [...usage({ "--from none.json gwen@sandbox.example": "--from: file not found: none.json" })],
  }),
  diff: read({
    lines: [
      {
        typed: "--against saved.json",
        files: { "saved.json": snapshotText },
        sends: snapshotReads,
        prints: "",
        notes: "Nobody gains or loses anything.\n",
        ids: "",
        json: "[]\n",
      },
      {
        typed: "organization.yaml",
        files: {
          "organization.yaml": "channels:\n  - name: staff\n    subscribers: { remove: [adam@sandbox.example] }\n",
        },
        sends: [...snapshotReads, "GET /invites"],
        prints:
          "Adam Admin can no longer read, post in, subscribe themselves to, change the privacy of, subscribe others to, " +
          "move messages to other topics of, move messages out of, resolve topics in, delete anybody's messages in, " +
          "delete messages of their own in and begin topics in #staff\n",
        ids: "4\n",
      },
    ],
    refused: [
      ...usage({
        "--against none.json": "--against: file not found: none.json",
        "":
          "permissions diff requires an organization file, or --against and a snapshot\n" +
          "zulipctl permissions diff organization.yaml; zulipctl permissions diff --against before.json",
      }),
      {
        typed: "x.yaml --against saved.json",
        files: { "saved.json": snapshotText },
        code: 2,
        says: "a file cannot be combined with --against",
      },
      {
        typed: "x.yaml",
        files: { "x.yaml": "channels:\n  - name: staff\n    subscribers: [nobody@sandbox.example]\n" },
        code: 2,
        partly: true,
        says: "1 problem in x.yaml\n  x.yaml, line 3, column 19: no person with the e-mail address nobody@sandbox.example",
      },
    ],
  }),
  findings: read({
    lines: [
      {
        typed: "--only web_public_channel",
        sends: findingReads,
        prints:
          "SEVERITY\tFINDING\tTARGET\tMESSAGE\tFIX\n" +
          "medium\tweb_public_channel\tchannel announcements\t#announcements is open to the web\tzulipctl channel update 3 --no-web-public\n",
        ids: "3\n",
        json:
          '[{"finding":"web_public_channel","severity":"medium",' +
          '"target":{"kind":"channel","id":3,"name":"announcements","permission":null},"people":[],' +
          '"message":"#announcements is open to the web","fix":"zulipctl channel update 3 --no-web-public"}]\n',
      },
    ],
    refused: [
      ...usage({
        "--only public_channel":
          `invalid --only "public_channel": must be one or more of ${findingNames.join(", ")}\n` +
          'Run "zulipctl permissions findings --help" for usage.',
        "--from none.json": "--from: file not found: none.json",
      }),
      {
        typed: "--accept accepted.yaml",
        files: { "accepted.yaml": "- finding: nothing\n  target: channel news\n" },
        code: 2,
        says:
          "2 problems in accepted.yaml\n" +
          '  accepted.yaml, line 1, column 3: "why" is missing\n' +
          "  accepted.yaml, line 1, column 12: finding: must be the name of a finding, such as web_public_channel",
      },
    ],
  }),
  report: local({
    lines: [{ typed: "--to permissions.html", sends: findingReads, ids: "" }],
    refused: [
      {
        typed: "--to permissions.html",
        files: { "permissions.html": "" },
        code: 2,
        says: "permissions.html already exists\nPass --overwrite to replace it, or choose another name with --to.",
      },
      ...usage({ "--to permissions.html --from none.json": "--from: file not found: none.json" }),
    ],
  }),
};
