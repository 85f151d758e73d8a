import { addApnsToken, removeApnsToken } from "../../src/api/push.ts";
import type { apnsNoun } from "../../src/commands/apns.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, usage } from "./case.ts";
import { pushReads, token } from "./owner.ts";

/** Registers the owner's device. */
const addDevice = ({ users }: SandboxState) => void users.get(8)!.push_tokens.add(token);

const request = `POST /users/me/apns_device_token token=${token}&appid=org.zulip.Zulip`;
const registration = {
  sends: [...pushReads, request],
  prints: 'Registered the device for "org.zulip.Zulip".\n',
  made: ({ users }: SandboxState) => [...users.values()].some(({ push_tokens }) => push_tokens.has(token)),
};
const deprecated = (level: number) =>
  `zulipctl: chat.example (feature level ${level}) deprecates apns register; a later release will remove it\n`;

const removal = {
  given: addDevice,
  sends: `DELETE /users/me/apns_device_token token=${token}`,
  prints: "Unregistered the device.\n",
  notes: "zulipctl: chat.example (feature level 500) deprecates apns unregister; a later release will remove it\n",
  made: ({ users }: SandboxState) => ![...users.values()].some(({ push_tokens }) => push_tokens.has(token)),
} as const;

export const cases: CasesOf<typeof apnsNoun> = {
  register: change(addApnsToken, {
    lines: [
      {
        ...registration,
        typed: `--token ${token} --appid org.zulip.Zulip`,
        notes: deprecated(500),
        ignoring: { params: ["appid"], code: 1 },
      },
      {
        ...registration,
        typed: "--token-stdin --appid org.zulip.Zulip",
        input: `${token}\n`,
        level: 406,
        sends: request,
        notes: deprecated(406),
      },
      { ...registration, typed: `--token ${token} --appid org.zulip.Zulip`, level: 405, sends: request },
      { ...registration, typed: `--token ${token} --appid org.zulip.Zulip --quiet` },
    ],
    wire: [
      [
        `--token ${"a1".repeat(33)} --appid org.zulip.Zulip`,
        [...pushReads, `POST /users/me/apns_device_token token=${"a1".repeat(33)}&appid=org.zulip.Zulip`],
      ],
    ],
  }),
  unregister: change(removeApnsToken, {
    lines: [
      { ...removal, typed: `--token ${token}` },
      { ...removal, typed: "--token-stdin", input: `${token}\n` },
    ],
    refused: [
      { typed: `--token ${token}`, level: 371, says: "Token does not exist" },
      ...usage({
        "": "missing required flag: --token or --token-stdin",
        "--token a --token-stdin": "--token cannot be combined with --token-stdin",
      }),
    ],
  }),
};
