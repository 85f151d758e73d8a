import type { batch } from "../../src/commands/batch.ts";
import { type CasesOf, local } from "./case.ts";
import { token } from "./owner.ts";

const register = `POST /users/me/apns_device_token token=${token}&appid=org.zulip.Zulip`;
const deprecated =
  "zulipctl: chat.example (feature level 442) deprecates apns register; a later release will drop it\n";

export const cases: CasesOf<typeof batch> = local({
  takes: [
    "<file>",
    "<words>...",
    "--format <csv|tsv|ndjson|lines>",
    "--skip-invalid",
    "--concurrency <n>",
    "--no-merge",
    "--settle <seconds>",
    "--journal <file>",
    "--resume <run>",
    "--retry-unknown",
    "--failed <file>",
    "--on-error <stop|continue>",
    "--max-failures <n>",
  ],
  lines: [
    {
      typed: "- --format lines",
      input: `folder create one\napns register --token ${token} --appid org.zulip.Zulip\n`,
      sends: ["POST /channel_folders/create name=one&description=", register],
      notes: `${deprecated}zulipctl: 2 of 2 rows done\n`,
    },
    {
      typed: "- --format csv -- apns register --token {token} --appid {app}",
      input: `token,app\n${token},org.zulip.Zulip\n`,
      sends: register,
      notes: `${deprecated}zulipctl: 1 of 1 row done\n`,
    },
  ],
});
