/** Completion offers after `--fields` what the program lists or prints. */
import { expect, test } from "vitest";
import { examplesOf, started, withAccount } from "../examples.ts";
import { fresh } from "../run.ts";
import type { Session } from "../session.ts";
import { everyCommand } from "../tree.ts";

/** Their fields are those of any endpoint, of JSON Schema, and of events. */
const others = ["api", "org schema", "watch"];

/** Adds words before the words of another command, and removes the words that choose the output. */
function withWords(line: string, words: string): string {
  const pipe = line.lastIndexOf(" | zulipctl") + 1;
  const plain = line
    .slice(pipe)
    .replace(/ (-o|--fields) \S+/g, "")
    .replace(/ --jq '[^']*'/g, "");
  const at = plain.lastIndexOf(" -- ");
  return line.slice(0, pipe) + (at < 0 ? `${plain} ${words}` : `${plain.slice(0, at)} ${words}${plain.slice(at)}`);
}

/** A refusal lists the fields and columns. */
async function told(line: string, session: Session): Promise<string[]> {
  const { shown } = await session.type(withWords(withAccount(line, session), "--fields ¿"));
  return /unknown field "¿"[\s\S]*Available: ([^.]*)\./.exec(shown)?.[1]?.split(/,\s/) ?? [];
}

/** Returns the fields of the printed result. */
async function printed(line: string, session: Session): Promise<string[]> {
  const { shown } = await session.type(withWords(withAccount(line, session), "-o json --quiet"));
  try {
    const read = JSON.parse(shown.slice(shown.search(/^[[{]/m)));
    return [read].flat().flatMap((record) => Object.keys(record));
  } catch {
    return [];
  }
}

test("fields.json has the fields and columns of each command", async () => {
  const found: Record<string, string> = {};
  const custom = fresh().state.profile_fields.map(({ name }) => name.toLowerCase());
  const sessions = new Map<string, Session>();
  for (const name of everyCommand().keys()) {
    if (others.includes(name)) continue;
    const noun = name.split(" ")[0]!;
    const session = sessions.get(noun) ?? (await started());
    sessions.set(noun, session);
    const lines = await examplesOf(name.split(" "));
    const fields: string[] = [];
    for (const line of lines) fields.push(...(await told(line, session)));
    if (!fields.length) fields.push(...(await printed(lines[0]!, await started())));
    const all = new Set(fields.filter((field) => !custom.includes(field)));
    if (all.size) found[name] = [...all].sort().join(",");
  }
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot("../../src/cli/completion/fields.json");
});
