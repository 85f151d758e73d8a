import { getDrafts } from "../../api/drafts.ts";
import type { Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../shell/context.ts";
import { labels, showsColumn } from "../../shell/labels.ts";
import type { AnswerOf } from "../../wire/operation.ts";

type Draft = AnswerOf<typeof getDrafts>["drafts"][number];

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

export async function list(context: Context): Promise<Listing<Draft>> {
  const { drafts } = await context.ask(getDrafts, {});
  const named = showsColumn(context, "TO") ? drafts : [];
  const idsOf = (wanted: string) => named.filter(({ type }) => type === wanted).flatMap(({ to }) => to);
  const channel = await labels(context, "channel", idsOf("stream"));
  const user = await labels(context, "user", idsOf("private"));
  return {
    kind: "listing",
    records: drafts,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "TYPE", value: ({ type }) => kinds[type] ?? type },
      { head: "TO", value: ({ type, to }) => to.map(type === "stream" ? channel : user) },
      { head: "TOPIC", value: ({ topic }) => topic },
      { head: "EDITED", value: ({ timestamp }) => when(timestamp) },
      { head: "CONTENT", value: ({ content }) => content },
    ],
  };
}
