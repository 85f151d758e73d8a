/** Reads the parameters of a call: flags, the query of the path, or a form in a file. */

import { readFile, readStdin, readText } from "../../argv/read-text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { readUpload } from "../../argv/upload.ts";
import { truncate } from "../../common/truncate.ts";
import { Usage } from "../../errors.ts";
import type { World } from "../../world/world.ts";

export interface Parameter {
  name: string;
  /** As typed. */
  flag: string;
  travel: "text" | "json" | "file";
  value: unknown;
}

function splitName(flag: string, argument: TextInput): [name: string, value: TextInput] {
  const parts = argument.splitAt("=");
  if (!parts) throw new Usage(`${flag} must be name=value: "${argument.text}" has no =`);
  if (!parts[0]) throw new Usage(`${flag}: "${argument.text}" names no parameter`);
  return parts;
}

/** Keeps the typed text if JavaScript would write the value differently: long numbers, white space. */
function jsonOf(flag: string, text: string): Pick<Parameter, "travel" | "value"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Usage(`${flag}: "${truncate(text, 60)}" is not valid JSON`, {
      hint: "Pass text with -f, or in double quotes.",
    });
  }
  return JSON.stringify(value) === text ? { travel: "json", value } : { travel: "text", value: text };
}

/** Reads `-f` and `-F`. */
export async function readParameters(
  world: World,
  texts: readonly TextInput[] = [],
  documents: readonly TextInput[] = [],
): Promise<Parameter[]> {
  const all: Parameter[] = [];
  for (const [short, words] of [["-f", texts] as const, ["-F", documents] as const])
    for (const argument of words) {
      const [name, value] = splitName(short, argument);
      const flag = `${short} ${name}`;
      const text = await readText(world, flag, value);
      all.push({ name, flag, ...(short === "-F" ? jsonOf(flag, text) : { travel: "text", value: text }) });
    }
  return all;
}

/** Reads `--file`. */
export async function filesIn(world: World, texts: readonly string[] = []): Promise<Parameter[]> {
  const all: Parameter[] = [];
  for (const text of texts) {
    const [, name, path] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (!name || !path) throw new Usage(`--file must be name=path: "${text}"`);
    const flag = `--file ${name}`;
    all.push({ name, flag, travel: "file", value: await readUpload(world, flag, path) });
  }
  return all;
}

/** Reads a form from a file, without the newline at its end. */
export async function formIn(world: World, file: TextInput): Promise<{ body: string; parameters: Parameter[] }> {
  const text = file.isStdin ? await readStdin(world, "--body") : await readFile(world, "--body", file.text);
  const body = text.replace(/\r?\n$/, "");
  if (/[^\x21-\x7e]/.test(body))
    throw new Usage("--body: not a form: it has spaces, line breaks or unescaped characters", {
      hint: "For example: name=Plans+%26+more&subscribers=%5B%5D",
    });
  return { body, parameters: formParameters(new URLSearchParams(body), "--body") };
}

export const formParameters = (form: URLSearchParams, flag: string): Parameter[] =>
  [...form].map(([name, value]) => ({ name, flag: `${flag} ${name}`, travel: "text", value }));

/** Throws `Usage` for a duplicate name: servers treat it differently. */
export function checkNames(parameters: readonly Parameter[]): void {
  const names = new Set<string>();
  for (const { name, flag } of parameters) {
    if (names.has(name)) throw new Usage(`${flag}: the parameter "${name}" is given twice`);
    names.add(name);
  }
}

const refuse = (what: string, hint?: string): never => {
  throw new Usage(`<path>: ${what}`, { hint });
};

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse(`"${segment}" has an invalid % escape`, "A percent sign itself is written %25.");
  }
}

function checkSegment(segment: string): void {
  const decoded = decode(segment);
  if (segment === "") refuse("it has two slashes in a row, or ends with one");
  if (decoded === "." || decoded === "..") refuse(`"${segment}" leads to another directory`);
  if (/[/\\]/.test(decoded))
    refuse(`"${segment}" has an encoded slash or a backslash, which servers interpret differently`);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(decoded))
    refuse("it holds a line break or another control character");
}

/** Escapes everything except characters of a path and existing escapes. */
const escapeSegment = (segment: string): string =>
  segment.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%]/gu, (sign) => encodeURIComponent(sign));

/** Returns the encoded path below `/api/v1`, and its query. Accepts a whole URL of `site`. Throws `Usage`. */
export function readPath(text: string, site: string): { path: string; query: URLSearchParams } {
  if (/[\u0000-\u001f\u007f]/.test(text)) refuse("it holds a line break or another control character");
  let rest = text;
  if (/^[a-z][a-z0-9+.-]*:|^[/\\]{2}/i.test(text)) {
    if (!text.startsWith(`${site}/`))
      refuse(
        `"${text}" names another host than ${new URL(site).host}`,
        "Another organization is chosen with --profile.",
      );
    rest = text.slice(site.length);
  }
  if (rest.includes("#")) refuse("it has a #: the text after it would not be sent", "A # itself is written %23.");
  const [path, ...query] = rest.split("?");
  const segments = path!
    .replace(/^\//, "")
    .replace(/^api\/v1(?=\/|$)\/?/, "")
    .split("/");
  if (segments.length === 1 && segments[0] === "") refuse("it names no endpoint", "It looks like this: /users/me");
  for (const segment of segments) checkSegment(segment);
  return { path: `/${segments.map(escapeSegment).join("/")}`, query: new URLSearchParams(query.join("?")) };
}
