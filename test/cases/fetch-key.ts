import type { fetchKey } from "../../src/commands/auth.ts";
import { type CasesOf, local } from "./case.ts";
import { email, password } from "./owner.ts";

const line = {
  input: `${password}\n`,
  anonymous: true,
  sends: "POST /fetch_api_key username=iris%40sandbox.example&password=iris-sandbox-password",
} as const;
const typed = `--site https://chat.example --username ${email} --password-stdin`;
const kept = (where: string) =>
  `Profile chat.example: ${email} on https://chat.example, the key in ${where}. It is now the current profile.\n`;

export const cases: CasesOf<typeof fetchKey> = local({
  lines: [
    { ...line, typed, prints: kept("the keychain") },
    { ...line, typed: `${typed} --store file`, prints: kept("the file /config/keys/chat.example") },
  ],
});
