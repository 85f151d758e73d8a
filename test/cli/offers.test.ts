/** Every flag and argument with a value says what completion offers. */
import { describe, expect, test } from "vitest";
import type { Offer } from "../../src/argv/commander-options.ts";
import { candidates } from "../../src/cli/completion/complete.ts";
import { type TreeEntry, wholeTree } from "../../src/cli/completion/tree.ts";
import { vocabulary } from "../../src/cli/completion/vocabulary.ts";
import { registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import { testWorld } from "../world.ts";

const tree = await wholeTree(registry(new Shell(testWorld(), async () => 0)));

interface Taker {
  /** As it is typed up to the value. */
  words: string[];
  offers: Offer | undefined;
}

const takers = ({ flags, operands, verbs }: TreeEntry, words: string[]): Taker[] => [
  ...flags.filter(({ value }) => value).map(({ long, offers }) => ({ words: [...words, long!], offers })),
  ...operands.map(({ name, offers }, at) => ({
    words: [...words, ...operands.slice(0, at).map(() => "x"), `<${name}>`],
    offers,
  })),
  ...verbs.filter(({ name }) => name !== "help").flatMap((verb) => takers(verb, [...words, verb.name])),
];

const all = takers(tree, []);

test("every flag and argument states its offer", () => {
  expect(all.filter(({ offers }) => !offers).map(({ words }) => words.join(" "))).toEqual([]);
});

test("free.txt lists the values that completion cannot know", async () => {
  const free = all.filter(({ offers }) => offers?.of === "free");
  const told = free.map(({ words, offers }) => `${words.join(" ")}${offers?.at ? ", or @file" : ""}\n`);
  await expect(told.join("")).toMatchFileSnapshot("free.txt");
});

describe("completion offers something for", () => {
  const names = (kind: string) => [`of-${kind}`];
  const offered = (words: string[], offers: Offer | undefined) => {
    const line = words.at(-1)!.startsWith("<") ? words.slice(0, -1) : words;
    const typed = offers?.of === "parameter=value" ? "x=@" : "";
    return candidates(tree, [...line, typed], { names, vocabulary: () => vocabulary });
  };

  const known = all.filter(({ offers }) => offers && offers.of !== "free");

  test.each(known.map((taker) => [taker.words.join(" "), taker] as const))("%s", (_, { words, offers }) => {
    // Fields are those of a command.
    const line = words[0] === "--fields" ? ["users", "list", ...words] : words;
    expect(offered(line, offers)).not.toEqual([]);
  });
});
