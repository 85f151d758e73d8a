import type { profile } from "../../src/commands/profile.ts";
import { type CasesOf, local } from "./case.ts";

const line = { profiles: true, anonymous: true, sends: [] } as const;

export const cases: CasesOf<typeof profile> = {
  list: local({ takes: [], lines: [{ ...line, typed: "" }] }),
  use: local({ takes: ["<name>"], lines: [{ ...line, typed: "work" }] }),
  rename: local({ takes: ["<old>", "<new>"], lines: [{ ...line, typed: "work play" }] }),
  rm: local({ takes: ["<name>"], lines: [{ ...line, typed: "work" }] }),
};
