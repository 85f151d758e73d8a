import type { fetchKeyVerb } from "../../src/commands/auth.ts";
import { type CasesOf, local } from "./case.ts";
import { email, password } from "./owner.ts";

const login = {
  input: `${password}\n`,
  anonymous: true,
  sends: "POST /fetch_api_key username=iris%40sandbox.example&password=iris-sandbox-password",
} as const;
const flags = `--site https://chat.example --username ${email} --password-stdin`;
const saved = (where: string) =>
  `Profile chat.example: ${email} on https://chat.example, the key in ${where}. It is now the current profile.\n`;

export const cases: CasesOf<typeof fetchKeyVerb> = local({
  lines: [
    { ...login, typed: flags, prints: saved("the keychain") },
    { ...login, typed: `${flags} --store file`, prints: saved("the file /config/keys/chat.example") },
  ],
});
