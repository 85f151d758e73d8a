// The notices of the packages that are bundled, whose licenses want them in every copy.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Where a package lies, from the path of one of its files as a metafile of esbuild has it; undefined for our own. */
const packageOf = (input) => /^(?:[\w-]+:)?(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

async function noticeOf(directory) {
  const { name, version, license } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const own = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file)).sort();
  // What a package leaves out, or does not say of what it holds itself.
  const more = join(import.meta.dirname, "notices", `${name.replace("/", "-")}.txt`);
  const files = [...own.map((file) => join(directory, file)), ...(existsSync(more) ? [more] : [])];
  if (!files.length) throw new Error(`${name} is bundled and has no text of its license: write ${more}`);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const body = texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n");
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n\n${body}\n`;
}

/** Where the packages lie of which something was bundled; `inputs` are the paths of all that was. */
export const packagesOf = (inputs) => [...new Set(inputs.map(packageOf).filter(Boolean))];

export async function notices(directories) {
  // One package may lie in several places.
  const texts = new Set(await Promise.all(directories.map(noticeOf)));
  const head =
    "zulipctl is licensed under the Apache License 2.0. It contains the packages below, under their licenses.\n";
  return [head, ...[...texts].sort()].join("\n");
}
