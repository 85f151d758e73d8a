/** A change as the log has it in words, with the names of people and things that the run has looked up. */
import type { SentChange } from "../client/sent-change.ts";
import { inWords } from "../resolve/named.ts";
import type { Resolves } from "../resolve/resolver.ts";
import type { Idea } from "../wire/params.ts";
import type { LogEntry } from "./entry.ts";

type Find = Pick<Resolves, "called">;

/** Characters of a value that are kept. */
const longest = 200;

/** A look-up that failed is told where its names are needed. */
const forgiving = (find: Find): Find => ({
  called: (kind, id) => find.called(kind, id).catch(() => undefined),
});

async function valueText(find: Find, of: Idea | undefined, value: unknown): Promise<string> {
  // Permissions are sent with what they are to replace.
  const sent = of === "who" && Object.hasOwn(Object(value), "new") ? Object(value).new : value;
  const words = await inWords(find, of, sent);
  const text = typeof sent === "number" ? words.replace(/^\d+ \((.*)\)$/s, "$1") : words;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

const nameOf = async (find: Find, { kind, id }: { kind: "user" | "group"; id: number }): Promise<string> => {
  const name = await find.called(kind, id);
  if (kind === "group") return `group ${name ?? id}`;
  return name ?? `user ${id}`;
};

export async function changeInWords(
  { before = {}, set = [], added = [], removed = [] }: SentChange,
  called: Find,
): Promise<Pick<LogEntry, "changes" | "added" | "removed">> {
  const find = forgiving(called);
  const changes: string[] = [];
  for (const { name, of, value } of set) {
    const to = await valueText(find, of, value);
    changes.push(
      Object.hasOwn(before, name) ? `${name}: ${await valueText(find, of, before[name])} → ${to}` : `${name}: ${to}`,
    );
  }
  const names = (members: typeof added) => Promise.all(members.map((member) => nameOf(find, member)));
  return {
    ...(changes.length && { changes }),
    ...(added.length && { added: await names(added) }),
    ...(removed.length && { removed: await names(removed) }),
  };
}
