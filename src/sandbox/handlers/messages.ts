import { matchNarrow } from "../../api/messages.ts";
import { conditions } from "../narrow/conditions.ts";
import { render } from "../narrow/markdown.ts";
import { Search } from "../narrow/search.ts";
import { narrow, type Term } from "../narrow/terms.ts";
import { on } from "../router.ts";

const escapeTopic = (topic: string): string =>
  topic
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** The name that people see of the empty topic means it, in the first term about topics alone. */
function emptyTopic(terms: readonly Term[], level: number): Term[] {
  const first = level < 334 ? undefined : terms.find(({ operator }) => operator === "topic");
  return terms.map((term) => (term === first && term.operand === "general chat" ? { ...term, operand: "" } : term));
}

export const messageRoutes = [
  on(matchNarrow, { decode: { narrow } }, ({ state, caller, level }, args) => {
    const terms = emptyTopic(args.narrow as Term[], level);
    const all = conditions(
      { state, caller, level },
      terms.filter(({ operator }) => operator !== "search"),
    );
    const asked = terms.filter(({ operator }) => operator === "search").map(({ operand }) => operand);
    // Several searches are one, and none of them is negated.
    const search = asked.length ? new Search(asked.join(" ")) : undefined;
    const messages: Record<string, { match_content: string; match_subject: string }> = {};
    for (const id of args.msg_ids) {
      const message = state.messages.get(id);
      // Only what the account received counts, not what it could read.
      if (!message?.received.has(caller.user_id) || !all.every((condition) => condition(message))) continue;
      const { topic, content } = message;
      const html = render(state, content);
      if (search && !search.matches({ topic, content, html })) continue;
      const shown = escapeTopic(topic);
      messages[id] = {
        match_content: search?.highlight(html) ?? html,
        match_subject: search?.highlight(shown) ?? shown,
      };
    }
    return { messages };
  }),
];
