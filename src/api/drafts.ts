import { ifKnown } from "../wire/impact.ts";
import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { integer, list, nullable, number, object, optional, string, struct, type Value, word } from "../wire/types.ts";

const draftTypes = ["", "stream", "private"] as const;

export const draftSchema = struct({
  type: word(...draftTypes),
  to: list(integer),
  topic: string,
  content: string,
  timestamp: optional(nullable(number)),
});
export type Draft = Value<typeof draftSchema>;

/** https://zulip.com/api/create-drafts */
export const createDrafts = operation("drafts.add", "POST /drafts", {
  effects: { none: "adds drafts, which only this account reads" },
  since: 87,
  params: { drafts: json(list(draftSchema), { of: "draft" }) },
  result: { ids: list(integer) },
  merging: {
    key: () => "",
    size: ({ drafts }) => drafts.length,
    largest: 100,
    combine: (all) => ({ drafts: all.flatMap(({ drafts }) => drafts) }),
    share: ({ ids }, { from, size }) => ({ ids: ids?.slice(from, from + size) }),
  },
});

/** https://zulip.com/api/get-drafts */
export const getDrafts = operation("drafts.list", "GET /drafts", {
  result: {
    count: integer,
    drafts: list(
      object({ id: integer, type: string, to: list(integer), topic: string, content: string, timestamp: number }),
    ),
  },
});

const draftId = json(integer);

/** https://zulip.com/api/edit-draft */
export const updateDraft = operation("drafts.update", "PATCH /drafts/{draft_id}", {
  effects: { none: "only this account reads its drafts, and undo brings the old text back" },
  params: { draft_id: draftId, draft: json(draftSchema, { of: "draft" }) },
  before: {
    read: getDrafts,
    inList: { list: "drafts", id: "id", idOf: ({ draft_id }) => draft_id },
    // The server sets a missing time to the current one. That is no requested change.
    values: ({ type, to, topic, content, timestamp }, { draft }) => ({
      draft: { type, to, topic, content, ...(draft?.timestamp !== undefined && { timestamp }) },
    }),
    stored: ({ draft }) => ({ draft: { ...draft, content: draft.content.trim() } }),
  },
});

/** https://zulip.com/api/delete-draft */
export const removeDraft = operation("drafts.rm", "DELETE /drafts/{draft_id}", {
  effects: ({ draft_id }) => ifKnown(draft_id, (id) => ({ does: "remove", kind: "draft", id })),
  params: { draft_id: draftId },
  previous: {
    read: getDrafts,
    inList: { list: "drafts", id: "id", idOf: ({ draft_id }) => draft_id },
    values: ({ type, to, topic, content, timestamp }) => ({ drafts: [{ type, to, topic, content, timestamp }] }),
  },
});
