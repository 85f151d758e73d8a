import type { profileNoun } from "../../src/commands/profile.ts";
import { type CasesOf, local } from "./case.ts";
import { keyStillWorks } from "./owner.ts";

const line = { profiles: true, anonymous: true, sends: [] } as const;

export const cases: CasesOf<typeof profileNoun> = {
  list: local({
    lines: [{ ...line, typed: "" }],
    refused: [
      {
        typed: "--fields sight",
        profiles: true,
        anonymous: true,
        code: 2,
        says: '--fields: unknown field "sight"\nAvailable: current, email, name, read only, read_only, site, store.',
      },
    ],
  }),
  use: local({ lines: [{ ...line, typed: "work" }] }),
  rename: local({ lines: [{ ...line, typed: "work play" }] }),
  rm: local({ lines: [{ ...line, typed: "work", notes: keyStillWorks }] }),
};
