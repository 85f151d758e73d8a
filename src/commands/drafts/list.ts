import { getDrafts } from "../../api/drafts.ts";
import type { Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../shell/context.ts";
import type { AnswerOf } from "../../wire/operation.ts";

type Draft = AnswerOf<typeof getDrafts>["drafts"][number];

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

export async function list({ ask }: Context): Promise<Listing<Draft>> {
  const { drafts } = await ask(getDrafts, {});
  return {
    kind: "listing",
    records: drafts,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "TYPE", value: ({ type }) => kinds[type] ?? type },
      { head: "TO", value: ({ to }) => to },
      { head: "TOPIC", value: ({ topic }) => topic },
      { head: "EDITED", value: ({ timestamp }) => when(timestamp) },
      { head: "CONTENT", value: ({ content }) => content },
    ],
  };
}
