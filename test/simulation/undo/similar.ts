/** Changes of the same thing as another one. */
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world/world.ts";
import type { Chance } from "../chance.ts";

/** The same thing with another text, or a message in a topic that was moved. */
export function similar(chance: Chance, words: readonly string[]): string[] {
  const [noun, verb = "", channel = "", ...topics] = words;
  if (noun === "topic" && verb !== "delete" && chance.hits(0.6)) {
    const topic = chance.of(topics.filter((word) => !word.startsWith("--")));
    return ["messages", "send", "--channel", channel, "--topic", topic, "--content", "theirs"];
  }
  return words.map((word) => word.replace(/^(text|Name|Bot) (\d+)$/, "$1 theirs $2"));
}

const opposites: readonly (readonly [string, string])[] = [
  ...([
    ["--add", "--delete"],
    ["--add-subgroups", "--delete-subgroups"],
    ["--default", "--no-default"],
  ] as const),
  ...([
    ["archive", "unarchive"],
    ["deactivate", "reactivate"],
    ["--private", "--no-private"],
  ] as const),
];

/** Sets the same thing to something else. */
export function opposite(words: readonly string[]): string[] {
  const pairs = new Map(
    opposites.flatMap(([one, other]): [string, string][] => [
      [one, other],
      [other, one],
    ]),
  );
  return words.map((word) => pairs.get(word) ?? word.replace(/^(text|Name|Bot) (\d+)$/, "$1 other $2"));
}

/** Removes an invitation or an emoji, and makes one like it. Returns nothing for others, and if it is gone. */
export function again({ state }: Sandbox, words: readonly string[]): string[][] {
  const [noun, verb, name = ""] = words;
  if (verb !== "add") return [];
  const invited = noun === "invite" && state.invitations.find(({ email }) => email === name);
  if (invited) return [["invite", "rm", `email:${invited.id}`], [...words]];
  const isEmoji = noun === "emoji" && [...state.emoji.values()].some((each) => each.name === name && !each.deactivated);
  return isEmoji ? [["emoji", "rm", name], [...words]] : [];
}

/** Sets a permission to something else. No other request can state what it replaces. */
export function rival({ state }: Sandbox, request: HttpRequest): HttpRequest | undefined {
  const guarded = [...new URLSearchParams(request.body)].find(([, value]) => value.startsWith('{"new":'));
  const administrators = [...state.groups.values()].find(({ name }) => name === "role:administrators");
  if (!guarded || !administrators) return undefined;
  return { ...request, body: `${guarded[0]}=${encodeURIComponent(JSON.stringify({ new: administrators.id }))}` };
}
