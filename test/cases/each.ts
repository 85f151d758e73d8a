import type { eachVerb } from "../../src/commands/each.ts";
import { type CasesOf, local, usage } from "./case.ts";

const done = "zulipctl: 1 of 1 organization done\n";

export const cases: CasesOf<typeof eachVerb> = local({
  lines: [
    {
      typed: "-- folder list",
      profiles: true,
      sends: "GET /channel_folders",
      prints: "PROFILE\tID\tNAME\tDESCRIPTION\nwork\t1\tProjects\tWhat we are **making**\n",
      notes: done,
    },
    {
      typed: "--profiles work --yes -- folder create Work",
      profiles: true,
      sends: "POST /channel_folders/create name=Work&description=",
      prints: "work: Created folder 3.\n",
      notes: done,
    },
  ],
  refused: [
    ...usage({ "folder list": "missing -- before the command\nFor example: zulipctl each -- channel list" }),
    {
      typed: "-- folder list",
      anonymous: true,
      code: 3,
      says: "no profiles found\nCreate one with: zulipctl fetch-key --site <url>",
    },
  ],
});
