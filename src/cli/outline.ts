import type { Command } from "commander";
import type { Entry } from "./completion/tree.ts";

/** A noun that is told of and cannot be run: what help of the trunk and near matches need of it. */
export function outline(root: Command, { name, doc, usage = "", operands, verbs }: Entry): Command {
  const noun = root
    .command(name)
    .description(doc)
    .usage(usage)
    .action(() => undefined);
  for (const { name, variadic } of operands) noun.argument(variadic ? `[${name}...]` : `[${name}]`);
  for (const verb of verbs) noun.command(verb.name).description(verb.doc);
  return noun;
}
