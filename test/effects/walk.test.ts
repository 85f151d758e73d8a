/**
 * Walks every change by every way, and keeps what people see of it in `walk/<noun>.txt`. `walk/ways.txt` has each operation and
 * way in short. Review the difference before you record it with `--update=all`.
 */
import { describe, expect, test, vi } from "vitest";
import { operations } from "../../src/api/registry.ts";
import { groupBy } from "../../src/common/group-by.ts";
import { commandLine } from "../../src/common/shell-words.ts";
import { Judging } from "../../src/effects/judging.ts";
import { type EffectKind, effectKinds } from "../../src/model/effect.ts";
import { defaultLevel, operationOf } from "../../src/sandbox/index.ts";
import { isChange } from "../../src/wire/operation.ts";
import { type Walked, walked } from "./walk/lines.ts";
import { type Shown, type Walk, type Way, walk, walksOf, ways } from "./walk/ways.ts";

const lines = (text: string, before: string): string[] =>
  text.split("\n").flatMap((line, n, all) => (n === all.length - 1 && !line ? [] : [`${before}${line}`.trimEnd()]));

const outputOf = ({ code, out, err }: Walk["asked"]): string[] => [
  ...lines(out.replaceAll("\t", "→"), "    "),
  ...lines(err, "    ! "),
  ...(code ? [`    [${code}]`] : []),
];

const effectTexts = (shown: readonly Shown[] = []): string[] =>
  shown.flatMap(({ effects = [] }) => effects.map(({ kind, mark, text }) => `${mark} ${kind}: ${text}`));

/** Everything that people see of a walk. */
function pageOf({ way, argv, asked, answered, shown }: Walk): string[] {
  const [first, second] = [outputOf(asked), outputOf(answered)];
  const isSame = first.join("\n") === second.join("\n");
  return [
    `  ${way}`,
    ...effectTexts(shown).map((text) => `    ${text}`),
    `    $ ${commandLine(argv)}${isSame ? " [--yes]" : ""}`,
    ...first,
    ...(isSame ? [] : [`    $ ${commandLine(argv)} --yes`, ...second]),
  ];
}

/** The request that `api` types, although a guard stops it. */
function typedRequest([noun, method, path]: readonly string[]): Shown[] {
  if (noun !== "api") return [];
  return [{ operation: "api", method: method as Shown["method"], url: `https://chat.example/api/v1/${path}` }];
}

/** The kinds of effects of a way, and whether it asks. */
const cells = new Map<string, Map<Way, Set<string>>>();
const every: Walk[] = [];

const nameOf = ({ method, url }: Shown): string =>
  operationOf({ method, url, headers: {}, timeout: 0 }, defaultLevel) ?? "unknown";

function note(operation: string, one: Walk): void {
  const row = cells.get(operation) ?? new Map<Way, Set<string>>();
  cells.set(operation, row);
  const cell = row.get(one.way) ?? new Set();
  row.set(one.way, cell);
  for (const { effects = [] } of one.shown ?? []) for (const { kind } of effects) cell.add(kind);
  if (one.asked.code === 2) cell.add("asks");
}

const requestOf = ({ method, url, body }: Shown) => [method, url, body ?? ""];

/** Nouns of what organization files have. */
const filed = /^(bots|channel|domain|emoji|folder|group|linkifier|playground|profile-field|settings|users)$/;

/** Commands of which one line was in a file. Lines with a state of their own are always tried. */
const tried = new Set<string>();
const inFiles = ({ argv: [noun = "", verb], given }: Walked): boolean => {
  const isFirst = !tried.has(`${noun} ${verb}`) && tried.add(`${noun} ${verb}`).size > 0;
  return filed.test(noun) && (isFirst || given !== undefined || verb === "members");
};

describe.each([...groupBy(walked, ({ argv }) => argv[0] ?? "")].map(([noun, all]) => [noun, all] as const))(
  "%s",
  (noun, all) => {
    const page: string[] = [];

    test.each(all.map((each) => [commandLine(each.argv), each] as const))("%s", async (typed, line) => {
      const walks = await walksOf(line, inFiles(line));
      every.push(...walks);
      page.push(typed, ...walks.flatMap(pageOf), "");
      const [command] = walks;
      const requests = JSON.stringify(command?.shown?.map(requestOf));
      const requested = walks.find(({ shown }) => shown)?.shown ?? typedRequest(line.argv);
      for (const one of walks) {
        const named = one.way === "undo" || one.way === "org apply" ? one.shown : requested;
        for (const each of new Set((named ?? []).map(nameOf))) note(each, one);
        // The same requests have the same effects. Only flags say that a list is meant as a whole.
        const isWhole = line.argv.includes("--set") && one.way.startsWith("api");
        if (one !== command && !isWhole && command?.shown && JSON.stringify(one.shown?.map(requestOf)) === requests)
          expect({ way: one.way, effects: effectTexts(one.shown) }).toEqual({
            way: one.way,
            effects: effectTexts(command.shown),
          });
      }
    });

    test("is as recorded", async () => {
      await expect(`${page.join("\n")}`).toMatchFileSnapshot(`walk/${noun}.txt`);
    });
  },
);

test("every operation is walked", async () => {
  const all = operations()
    .filter(isChange)
    .map(({ name }) => name);
  const table = all.sort().map((name) => {
    const row = cells.get(name);
    return [name, ...ways.map((way) => [...(row?.get(way) ?? ["-"])].sort().join(" ") || "no effects")].join(" | ");
  });
  expect(all.filter((name) => !cells.has(name))).toEqual([]);
  await expect([["operation", ...ways].join(" | "), ...table, ""].join("\n")).toMatchFileSnapshot("walk/ways.txt");
});

const has = (kind: EffectKind) => (one: Walk) =>
  one.shown?.some(({ effects = [] }) => effects.some((each) => each.kind === kind)) ?? false;

/** What can be switched off, and the walks that notice it: those with such an effect, and those that such a guard stops. */
const switches: readonly (readonly [name: string, off: () => void, notices: (one: Walk) => boolean])[] = [
  ...effectKinds.map((kind) => {
    const { add } = Judging.prototype;
    const off = () =>
      vi.spyOn(Judging.prototype, "add").mockImplementation(function (this: Judging, n, ...effects) {
        add.call(this, n, ...effects.filter((effect) => effect.kind !== kind));
      });
    return [kind, off, has(kind)] as const;
  }),
  ...(["lose", "empty", "lock"] as const).map((guard) => {
    const flag = { lose: "--max-removals", empty: "--allow-empty", lock: "--allow-lockout" }[guard];
    const off = () => vi.spyOn(Judging.prototype, guard).mockImplementation(() => undefined);
    return [
      `the guard of ${flag}`,
      off,
      ({ asked, way }: Walk) => way !== "org apply" && asked.err.includes(`: ${flag}`),
    ] as const;
  }),
];

describe("switched off, it is missed", () => {
  test.each(switches)("%s", async (_, off, notices) => {
    const noticing = ways.flatMap((way) => every.find((one) => one.way === way && notices(one)) ?? []);
    expect(noticing).not.toEqual([]);
    off();
    try {
      for (const one of noticing) expect(pageOf(await walk(one))).not.toEqual(pageOf(one));
    } finally {
      vi.restoreAllMocks();
    }
  });
});
