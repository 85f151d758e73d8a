import type { doctorVerb } from "../../src/commands/server.ts";
import { type CasesOf, local } from "./case.ts";
import { pushReads } from "./owner.ts";

const thisMachine = [
  "CHECK\tSTATUS\tMESSAGE",
  "program\tok\tzulipctl 0.0.0-test, the npm package /lib/node_modules/zulipctl, with Node 20.19.0; compiled code is kept in /cache/compiled",
  "configuration\tok\t/config/config.json: 0 profiles",
  "credentials\tok\tiris@sandbox.example on https://chat.example, by the environment",
  "keychain\tok\twhat is put into it comes back",
  "batch\tok\tevery run is finished",
];
const connection = [
  "proxy\tok\tnone",
  "dns\tok\tchat.example is 192.0.2.7",
  "tls\tok\ta certificate of Example CA, valid for 61 more days",
  "server\tok\tZulip 12.1 to 12.3, feature level 500",
  "clock\twarn\tthe server does not tell its time",
  "abilities\tok\tthis server knows all that zulipctl server info lists",
];
const login = [
  "login\tok\tIris Owner, owner",
  "rate limit\twarn\tthe server does not tell what is left",
  "push notifications\tok\told and new apps get them",
  "",
];

export const cases: CasesOf<typeof doctorVerb> = local({
  lines: [
    { typed: "", sends: ["GET /users/me", ...pushReads], prints: [...thisMachine, ...connection, ...login].join("\n") },
    {
      typed: "--dry-run --jq '.[].url'",
      sends: [],
      prints: "https://chat.example/api/v1/server_settings\nhttps://chat.example/api/v1/users/me\n",
    },
  ],
  refused: [
    {
      typed: "--fields check,status",
      anonymous: true,
      code: 3,
      says: "the check of credentials fails: no credentials found\nGet a key with: zulipctl fetch-key --site <url>. Scripts can set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.",
      prints: "CHECK\tSTATUS\nprogram\tok\nconfiguration\tok\ncredentials\tfail\nkeychain\tok\nbatch\tok\n",
    },
    {
      typed: "--fields colour",
      anonymous: true,
      code: 2,
      says: '--fields: unknown field "colour"\nAvailable: check, hint, message, status.',
    },
  ],
});
