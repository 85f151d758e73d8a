import type { log } from "../../src/commands/log.ts";
import { type CasesOf, local } from "./case.ts";

const entry = {
  time: "2026-01-15T09:30:00.000Z",
  run: "2026-01-15T09-30-00-i0000000",
  profile: "work",
  site: "https://chat.example",
  account: "iris@sandbox.example",
  command: "zulipctl channel update design --private",
  operation: "channel.update",
  target: "design",
  thing: "channel 7",
  outcome: "done",
  changes: ["is_private: true"],
};
const older = { ...entry, time: "2026-01-10T09:30:00.000Z", target: "7", outcome: "refused" };
const files = { "/state/log.ndjson": `${JSON.stringify(older)}\n${JSON.stringify(entry)}\n` };
const setting = { anonymous: true, sends: [], files } as const;
const head = "TIME\tWHO\tTARGET\tCHANGE\tOUTCOME\tCOMMAND\n";
const first = "2026-01-10 09:30Z\twork\t7\tis_private: true\trefused\tzulipctl channel update design --private\n";
const second = "2026-01-15 09:30Z\twork\tdesign\tis_private: true\tdone\tzulipctl channel update design --private\n";

export const cases: CasesOf<typeof log> = local({
  lines: [
    { ...setting, typed: "", prints: head + second + first },
    { ...setting, typed: "--limit 1", prints: head + second },
    { ...setting, typed: "--since 2d", prints: head + second, ids: `${entry.run}\n` },
    { ...setting, typed: "--target 'CHANNEL 7' --outcome refused", prints: head + first },
    { anonymous: true, sends: [], typed: "--since 12h", prints: head },
  ],
  refused: [
    {
      typed: "--since yesterday",
      anonymous: true,
      code: 2,
      says: 'invalid --since "yesterday": must be a span of time, such as 1y, 2w, 90d, 12h, 30m or 10s\nRun "zulipctl log --help" for usage.',
    },
  ],
});
