/** Every copy of the program has the notices of all bundled packages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const told = readFileSync(join(root, "THIRD-PARTY-NOTICES"), "utf8");
const rule = "=".repeat(80);
const sections = new Map(
  told
    .split(`${rule}\n`)
    .slice(1)
    .flatMap((part, n, all) => (n % 2 ? [] : [[part.trim(), all[n + 1]!] as const])),
);

/** The directories of the packages that are bundled in dist. */
function bundled(): string[] {
  const { parts } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8")) as {
    parts: Record<string, string[]>;
  };
  const inputs = Object.values(parts).flat();
  const found = inputs.flatMap(
    (input) => /node_modules\/(?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*/.exec(input)?.[0] ?? [],
  );
  return [...new Set([...found, "node_modules/jq-web"])];
}

test("names exactly the bundled packages, each with its license", () => {
  const expected = bundled().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
    const heading = `${name} ${version} (${license})`;
    for (const file of readdirSync(join(root, directory)).filter((each) => /^(licen[cs]e|copying|notice)/i.test(each)))
      expect(sections.get(heading)).toContain(
        readFileSync(join(root, directory, file), "utf8")
          .replaceAll("\r\n", "\n")
          .trim(),
      );
    return heading;
  });
  expect([...sections.keys()].sort()).toEqual([...new Set(expected)].sort());
  expect(sections.size).toBeGreaterThan(50);
});

test("has license texts with a grant and a copyright holder", () => {
  for (const [heading, text] of sections) {
    expect({ heading, text }).toMatchObject({ text: expect.stringMatching(/permi(t|ss)|Blue Oak/i) });
    expect({ heading, text }).toMatchObject({ text: expect.stringMatching(/copyright|contributor/i) });
  }
});

test("names the files that are copied whole", () => {
  for (const name of readdirSync(join(root, "dist"), { withFileTypes: true }).filter((each) => each.isDirectory()))
    expect([...sections.keys()].map((heading) => heading.split(" ")[0])).toContain(name.name);
});
