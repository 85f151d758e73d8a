import type { logNoun } from "../../src/commands/log.ts";
import { type CasesOf, local } from "./case.ts";

const entry = {
  time: "2026-01-15T09:30:00.000Z",
  run: "20260115-1",
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
const head = "TIME\tWHO\tTARGET\tCHANGE\tOUTCOME\tCOMMAND\tRUN\n";
const first =
  "2026-01-10 09:30Z\twork\t7\tis_private: true\trefused\tzulipctl channel update design --private\t20260115-1\n";
const second =
  "2026-01-15 09:30Z\twork\tdesign\tis_private: true\tdone\tzulipctl channel update design --private\t20260115-1\n";

const itself = local({
  lines: [
    { ...setting, typed: "", prints: head + second + first },
    { ...setting, typed: "--limit 1", prints: head + second },
    { ...setting, typed: "--since 2d", prints: head + second, ids: `${entry.run}\n` },
    { ...setting, typed: "--target 'CHANNEL 7' --outcome refused", prints: head + first },
    { anonymous: true, sends: [], typed: "--since 12h", prints: head },
  ],
  refused: [
    {
      typed: "--since tomorrow",
      anonymous: true,
      code: 2,
      says: '--since: invalid time "tomorrow"\nPass a span of time back, such as --since 7d, today, or ISO 8601. See: zulipctl help times',
    },
  ],
});

const changed = { ...entry, at: { stream_id: 7 }, from: { is_private: false }, to: { is_private: true } };
const sent = { ...entry, run: "20260110-1", operation: "messages.send", to: { content: "Hi" } };
const shown = { "/state/log.ndjson": `${JSON.stringify(sent)}\n${JSON.stringify(changed)}\n` };
const headOfRun = "TARGET\tOPERATION\tFROM\tTO\tOUTCOME\tUNDO\n";

const show = local({
  lines: [
    {
      ...{ anonymous: true, sends: [], files: shown, typed: "" },
      prints: `${headOfRun}design\tchannel.update\tis_private: false\tis_private: true\tdone\tyes\n`,
    },
    {
      ...{ anonymous: true, sends: [], files: shown, typed: "20260110-1" },
      prints: `${headOfRun}design\tmessages.send\t\tcontent: "Hi"\tdone\tno: a message that was sent stays; delete it with: zulipctl messages delete\n`,
    },
  ],
  refused: [
    {
      ...{ typed: "20260101-1", anonymous: true, code: 2 },
      says: 'run "20260101-1" not found in the log\nList runs with: zulipctl log',
    },
  ],
});

export const cases: CasesOf<typeof logNoun> = { itself, show };
