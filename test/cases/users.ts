import type { users } from "../../src/commands/users.ts";
import { type CasesOf, read } from "./case.ts";

export const cases: CasesOf<typeof users> = {
  list: read({
    takes: [
      "--ids <user>...",
      "--client-gravatar",
      "--no-client-gravatar",
      "--include-custom-profile-fields",
      "--role <role>",
      "--active",
      "--deactivated",
      "--bots",
      "--humans",
      "--match <text>",
    ],
    lines: [
      { typed: "-o ndjson", sends: "GET /users" },
      { typed: "", sends: "GET /users", ids: "8\n9\n10\n11\n12\n13\n14\n15\n" },
      {
        typed: "--ids cora@sandbox.example",
        sends: ["GET /users", "GET /users?user_ids=%5B11%5D"],
        shows: "GET https://chat.example/api/v1/users  users.list\n  user_ids = [11 (Cora Member)]\n",
      },
    ],
    wire: [
      ["--role guest", "GET /users"],
      [
        "--ids 8,9 --no-client-gravatar --include-custom-profile-fields",
        "GET /users?client_gravatar=false&include_custom_profile_fields=true&user_ids=%5B8%2C9%5D",
      ],
    ],
  }),
};
