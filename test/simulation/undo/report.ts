import type { Story } from "./story.ts";

/** A story in words. */
export const report = ({ machine, made, others }: Story): string =>
  [
    ...machine.session.map((ran) => {
      const text = made.find((each) => each.ran === ran)?.text ?? "";
      const { name, words, job, ended, from, to } = ran;
      return `${from}-${to} ${name} ${job ?? ""}: ${words.join(" ")}\n${text}\n→ ${ended.code} ${ended.err}`;
    }),
    `others: ${others.join("; ")}`,
  ].join("\n");
