/** The people, groups, channels and folders that entries name. */
import { brief } from "../check.ts";
import type { Path } from "../content.ts";
import { file } from "../file.ts";
import { members } from "../shape.ts";
import { meant, putAwayIn } from "./archived.ts";
import type { Stated } from "./entries.ts";
import { type Visitor, visit } from "./names.ts";
import { inWords } from "./problems.ts";

const shape = members(file);

const person = /^(?:id:\d{1,15}|name:[\s\S]*\S[\s\S]*|\S+@\S+)$/;

export function references(stated: Stated): void {
  const { value, at, problems } = stated;
  const away = putAwayIn(value);
  visit(shape, value, {
    name(names, text, path) {
      if (names === "field") return;
      const here = [...path];
      if (names === "person" && !person.test(text.trim()))
        problems.add(() => at(here), `"${brief(text)}" is not a person: use an e-mail address, name:… or id:…`);
      const put = away(names, text, path);
      if (!put) return;
      problems.add(
        () => at(here),
        () => `"${brief(text)}" cannot be named here: the file archives or deactivates it, in ${inWords(at(put))}`,
      );
    },
    list: contradictions(stated),
  });
}

/** Takes lists that say of one that it must and must not be in them, or name somebody twice in another spelling. */
function contradictions({ at, problems }: Stated): NonNullable<Visitor["list"]> {
  let added = new Map<string, { path: Path; text: unknown }>();
  let current = "";
  return (names, texts, path) => {
    if (names === "field") return;
    const last = path.at(-1);
    // What is to be in a list and what is not stand side by side.
    const list = (last === "add" || last === "remove" ? path.slice(0, -1) : path).join("\0");
    if (list !== current) added = new Map();
    current = list;
    for (const [n, text] of texts.entries()) {
      const name = typeof text === "string" ? meant(names, text) : undefined;
      if (name === undefined) continue;
      const here = [...path, n];
      const first = added.get(name);
      if (!first) added.set(name, { path: here, text });
      else if (first.path.at(-2) !== last)
        problems.add(
          () => at(here),
          () => `"${brief(String(text))}" is both added and removed; the other is in ${inWords(at(first.path))}`,
        );
      // In the same spelling the check has told of it.
      else if (first.text !== text)
        problems.add(
          () => at(here),
          () => `"${brief(String(text))}" appears twice in this list; first in ${inWords(at(first.path))}`,
        );
    }
  };
}
