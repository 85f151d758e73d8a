import { addApnsToken } from "../../src/api/push.ts";
import type { apns } from "../../src/commands/apns.ts";
import { type CasesOf, change } from "./case.ts";
import { token } from "./owner.ts";

const line = {
  sends: `POST /users/me/apns_device_token token=${token}&appid=org.zulip.Zulip`,
  prints: "Device registered for org.zulip.Zulip.\n",
  notes: "zulipctl: chat.example (feature level 442) deprecates apns register; a later release will drop it\n",
} as const;

export const cases: CasesOf<typeof apns> = {
  register: change(addApnsToken, {
    takes: ["--token <token>", "--token-stdin", "--appid <id>"],
    lines: [
      {
        ...line,
        typed: `--token ${token} --appid org.zulip.Zulip`,
        made: ({ users }) => [...users.values()].some(({ push_tokens }) => push_tokens.has(token)),
        ignoring: { params: ["appid"], code: 1 },
      },
      {
        ...line,
        typed: "--token-stdin --appid org.zulip.Zulip",
        input: `${token}\n`,
        made: ({ users }) => [...users.values()].some(({ push_tokens }) => push_tokens.has(token)),
      },
    ],
    wire: [
      [
        `--token ${"a1".repeat(33)} --appid org.zulip.Zulip`,
        `POST /users/me/apns_device_token token=${"a1".repeat(33)}&appid=org.zulip.Zulip`,
      ],
    ],
  }),
};
