import type { profile } from "../../src/commands/profile.ts";
import { type CasesOf, local } from "./case.ts";

const line = { profiles: true, anonymous: true, sends: [] } as const;

export const cases: CasesOf<typeof profile> = {
  list: local({
    takes: [],
    lines: [{ ...line, typed: "" }],
    refused: [
      {
        typed: "--fields sight",
        profiles: true,
        anonymous: true,
        code: 2,
        says: '--fields: unknown field "sight"\nAvailable: current, email, name, site, store.',
      },
    ],
  }),
  use: local({ takes: ["<name>"], lines: [{ ...line, typed: "work" }] }),
  rename: local({ takes: ["<old>", "<new>"], lines: [{ ...line, typed: "work play" }] }),
  rm: local({ takes: ["<name>"], lines: [{ ...line, typed: "work" }] }),
};
