import type { Changed } from "../../output/form.ts";

export const changedProfile = (sentence: string, profile: string): Changed => ({
  kind: "change",
  sentence,
  answer: { profile },
  ids: [profile],
});
