// The notices of bundled packages. Their licenses require them in every copy.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the directory of a package from the path of a file in esbuild's metafile. Undefined for files of the project. */
const packageOf = (input) => /^(?:[\w-]+:)?(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

async function noticeOf(directory) {
  const { name, version, license } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const own = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file)).sort();
  // Notices that a package omits.
  const more = join(import.meta.dirname, "notices", `${name.replace("/", "-")}.txt`);
  const files = [...own.map((file) => join(directory, file)), ...(existsSync(more) ? [more] : [])];
  if (!files.length) throw new Error(`${name} is bundled and has no text of its license: write ${more}`);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const body = texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n");
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n\n${body}\n`;
}

/** Returns the directories of bundled packages. `inputs`: the paths of all bundled files. */
export const packagesOf = (inputs) => [...new Set(inputs.map(packageOf).filter(Boolean))];

export async function notices(directories) {
  // A package can be installed in several directories.
  const texts = new Set(await Promise.all(directories.map(noticeOf)));
  const head =
    "zulipctl is licensed under the Apache License 2.0. It contains the packages below, under their licenses.\n";
  return [head, ...[...texts].sort()].join("\n");
}
