import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, text } from "../wire/params.ts";
import { integer } from "../wire/types.ts";
import { register, registerPart } from "./events.ts";

/** https://zulip.com/api/add-code-playground */
export const addPlayground = operation("playground.add", "POST /realm/playgrounds", {
  effects: { none: "adds a button to code blocks" },
  who: { role: "administrator" },
  params: {
    name: text({ doc: "What people see." }),
    pygments_language: text({ doc: "The language it is for." }),
    url_template: text({ doc: "RFC 6570 URL template with the variable `code`." }),
  },
  result: { id: integer },
  existing: {
    kind: "playground",
    read: register,
    argsOf: () => registerPart("realm_playgrounds"),
    things: ({ realm_playgrounds }: AnswerOf<typeof register>) => realm_playgrounds ?? [],
    identity: ({ pygments_language, name }) => JSON.stringify([pygments_language, name]),
    identityOf: ({ pygments_language, name }) => JSON.stringify([pygments_language, name]),
    id: "id",
    fixed: ({ url_template }) => ({ url_template }),
  },
});

/** https://zulip.com/api/remove-code-playground */
export const removePlayground = operation("playground.rm", "DELETE /realm/playgrounds/{playground_id}", {
  effects: ({ playground_id }) => ifKnown(playground_id, (id) => ({ does: "remove", kind: "playground", id })),
  who: { role: "administrator" },
  params: { playground_id: json(integer) },
  // Without it its language is no longer the default of code blocks.
  previous: {
    read: register,
    argsOf: () => registerPart("realm_playgrounds", "realm"),
    values: ({ realm_playgrounds, realm_default_code_block_language: language }, { playground_id }) => ({
      ...(realm_playgrounds as readonly { id: number }[]).find(({ id }) => id === playground_id),
      settings: { default_code_block_language: language },
    }),
  },
});
