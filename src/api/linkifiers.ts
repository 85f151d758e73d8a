import { call } from "../wire/call.ts";
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { integer, list, nullable, object, optional, string, type Value } from "../wire/types.ts";

const params = {
  pattern: text({ doc: "RE2 regular expression; named groups may be used." }),
  url_template: text({ doc: "RFC 6570 URL template; {group} inserts a named group.", since: 176 }),
  example_input: maybe(text({ doc: "A text that the pattern matches; empty for none.", since: 471 })),
  reverse_template: maybe(text({ doc: "How a link becomes text again; empty for none.", since: 471 })),
  alternative_url_templates: maybe(json(list(string), { doc: "Other URLs of the same things.", since: 478 })),
};

export const linkifierSchema = object({
  id: integer,
  pattern: string,
  url_template: string,
  example_input: optional(nullable(string)),
  reverse_template: optional(nullable(string)),
  alternative_url_templates: optional(list(string)),
});
export type Linkifier = Value<typeof linkifierSchema>;

/** https://zulip.com/api/get-linkifiers */
export const getLinkifiers = operation("linkifier.list", "GET /realm/linkifiers", {
  result: { linkifiers: list(linkifierSchema) },
});

const filterId = json(integer);

/** https://zulip.com/api/update-linkifier */
export const updateLinkifier = operation("linkifier.update", "PATCH /realm/filters/{filter_id}", {
  effects: { none: "changes how new messages are shown, and takes nothing" },
  who: { role: "administrator" },
  params: { filter_id: filterId, ...params },
  target: ({ filter_id }) => `linkifier ${filter_id}`,
  before: {
    read: getLinkifiers,
    inList: { list: "linkifiers", id: "id", idOf: ({ filter_id }) => filter_id },
    values: ({ example_input, reverse_template, ...found }) => ({
      ...found,
      example_input: example_input ?? "",
      reverse_template: reverse_template ?? "",
    }),
  },
});

/** https://zulip.com/api/add-linkifier */
export const addLinkifier = operation("linkifier.add", "POST /realm/filters", {
  effects: { none: "changes how new messages are shown, and takes nothing" },
  who: { role: "administrator" },
  params,
  result: { id: integer },
  existing: {
    kind: "linkifier",
    verb: "linkifier update",
    read: getLinkifiers,
    things: ({ linkifiers }: AnswerOf<typeof getLinkifiers>) => linkifiers,
    identity: ({ pattern }) => String(pattern),
    identityOf: ({ pattern }) => pattern,
    id: "id",
    update: ({ id }, asked, { pattern, url_template }) =>
      call(updateLinkifier, { ...asked, filter_id: Number(id), pattern, url_template }),
  },
});

/** https://zulip.com/api/remove-linkifier */
export const removeLinkifier = operation("linkifier.rm", "DELETE /realm/filters/{filter_id}", {
  effects: ({ filter_id }) => ifKnown(filter_id, (id) => ({ does: "remove", kind: "linkifier", id })),
  who: { role: "administrator" },
  params: { filter_id: filterId },
  target: ({ filter_id }) => `linkifier ${filter_id}`,
  previous: {
    read: getLinkifiers,
    values: ({ linkifiers }: AnswerOf<typeof getLinkifiers>, { filter_id }) => ({
      ...linkifiers.find(({ id }) => id === filter_id),
      ordered_linkifier_ids: linkifiers.map(({ id }) => id),
    }),
  },
});

/** https://zulip.com/api/reorder-linkifiers */
export const reorderLinkifiers = operation("linkifier.reorder", "PATCH /realm/linkifiers", {
  effects: { none: "only an order changes" },
  who: { role: "administrator" },
  params: { ordered_linkifier_ids: json(list(integer)) },
  target: () => "linkifiers",
  before: {
    read: getLinkifiers,
    values: ({ linkifiers }: AnswerOf<typeof getLinkifiers>) => ({
      ordered_linkifier_ids: linkifiers.map(({ id }) => id),
    }),
  },
});
