import { noun } from "../cli/noun.ts";
import { rawCustomVerb, rawReadingVerb } from "../cli/verbs-with-code.ts";

export const doctorVerb = rawCustomVerb({
  doc: "Check the setup from here to the server, and say how to fix problems",
  operations: ["events.register", "users.me"],
  note: "It changes nothing on the server. The exit code is 0, or that of the first check that fails: 2, 3 or 4.",
  examples: ["zulipctl doctor", "zulipctl doctor --jq '.[] | select(.status != \"ok\")'"],
  run: async () => (await import("./doctor/examine.ts")).examineInstallation,
  organizations: true,
});

export const serverNoun = noun("The server itself", {
  info: rawReadingVerb({
    doc: "Show version, feature level, ways to log in, and supported commands; needs no credentials",
    operations: ["server.info"],
    examples: ["zulipctl server info --site https://chat.example.com"],
    run: async () => (await import("./server/info.ts")).serverInfo,
  }),
});
