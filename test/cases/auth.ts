import type { authNoun } from "../../src/commands/auth.ts";
import { type CasesOf, local, read } from "./case.ts";
import { email, key, keyStillWorks } from "./owner.ts";

export const cases: CasesOf<typeof authNoun> = {
  status: read({
    lines: [
      { typed: "", sends: "GET /users/me" },
      { typed: "", profiles: true, anonymous: true, sends: "GET /users/me" },
    ],
  }),
  login: local({
    lines: [
      {
        typed: `--with-key --site https://chat.example --username ${email}`,
        input: `${key}\n`,
        anonymous: true,
        sends: "GET /users/me",
      },
    ],
  }),
  import: local({
    lines: [{ typed: "/home/test/zuliprc --profile imported", anonymous: true, sends: "GET /users/me" }],
  }),
  switch: local({ lines: [{ typed: "work", profiles: true, anonymous: true, sends: [] }] }),
  logout: local({
    lines: [
      { typed: "", profiles: true, anonymous: true, sends: [], notes: keyStillWorks },
      {
        typed: "--revoke --yes",
        profiles: true,
        anonymous: true,
        sends: ["GET /users/me", "POST /users/me/api_key/regenerate"],
        prints: "Revoked the API key of iris@sandbox.example, and removed profile work.\n",
      },
    ],
  }),
};
