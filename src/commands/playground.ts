import { register, registerPart } from "../api/events.ts";
import { addPlayground, removePlayground } from "../api/playgrounds.ts";
import { deletion } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { ids, text } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import type { Server } from "../client/server.ts";
import { Usage } from "../errors.ts";

const part = registerPart("realm_playgrounds");

const described = async (server: Server): Promise<[number, string][]> =>
  ((await server.call(register, part)).realm_playgrounds ?? []).map(({ id, name, pygments_language }) => [
    id,
    `${id} (${name}, ${pygments_language})`,
  ]);

async function checkTemplate(name: string, template: string): Promise<void> {
  const { readUrlTemplate } = await import("../notation/url-template.ts");
  const names = readUrlTemplate(template)?.names;
  if (names?.length !== 1 || names[0] !== "code")
    throw new Usage(
      `<url-template>: invalid URL template "${template}": {code} must be its only variable. Playground "${name}" stays as it is`,
    );
}

export const playgroundNoun = noun("Sites that run code of messages", {
  add: changes(addPlayground, {
    doc: "Add a playground",
    operands: {
      language: text("the language of the code blocks, as Pygments names it", "language"),
      name: text("what people see", "name"),
      urlTemplate: text("RFC 6570 URL template; {code} inserts the code", "url-template"),
    },
    binds: { language: "pygments_language", urlTemplate: "url_template" },
    args: ({ language, name, urlTemplate }) => ({ name, pygments_language: language, url_template: urlTemplate }),
    target: "name",
    done: "Added playground {id}.",
    already: "Playground {target} exists already.",
    operations: ["events.register", "playground.rm"],
    ids: "id",
    checkCommand: "playground list",
    existing: ({ name, urlTemplate }) => ({ checkReplacement: () => checkTemplate(name, urlTemplate) }),
    note: "Servers cannot change a playground: --or-update removes it, and adds another.",
    examples: ["zulipctl playground add Rust 'Rust playground' 'https://play.example.com/?code={code}'"],
  }),

  rm: changesEach(removePlayground, {
    doc: "Remove playgrounds",
    things: ids("playground", "ids of playgrounds; - reads them from stdin"),
    args: (playground_id) => ({ playground_id }),
    done: "Deleted playground {target}.",
    checkCommand: "playground list",
    confirm: deletion("playground", described),
    examples: ["zulipctl playground rm 1 --yes"],
  }),

  list: lists(register, {
    doc: "List playgrounds",
    args: () => part,
    records: ({ realm_playgrounds = [] }) => realm_playgrounds,
    emptyFields: ["id", "name", "pygments_language", "url_template"],
    id: "id",
    columns: { ID: "id", LANGUAGE: "pygments_language", NAME: "name", "URL TEMPLATE": "url_template" },
    examples: ["zulipctl playground list"],
  }),
});
