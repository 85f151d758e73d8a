import { local } from "./case.ts";
import { email, key } from "./owner.ts";

export const cases = local({
  lines: [
    {
      typed: `--with-key --site https://chat.example --username ${email}`,
      input: `${key}\n`,
      anonymous: true,
      sends: "GET /users/me",
    },
  ],
});
