/** The parameters of a call: typed one by one, in the path's query, or as a whole form. */
import type { Given } from "../../argv/given.ts";
import { readFile, readStdin, textOf } from "../../argv/text.ts";
import { Usage } from "../../errors.ts";
import type { World } from "../../world.ts";

export interface Parameter {
  name: string;
  /** As it was typed. */
  flag: string;
  travel: "text" | "json";
  value: unknown;
}

function named(flag: string, given: Given): [name: string, value: Given] {
  const cut = given.cut("=");
  if (!cut) throw new Usage(`${flag} must be name=value: "${given.text}" has no =`);
  if (!cut[0]) throw new Usage(`${flag}: "${given.text}" names no parameter`);
  return cut;
}

/** As the text that was typed where JavaScript would write the value another way: a long number, white space. */
function jsonOf(flag: string, text: string): Pick<Parameter, "travel" | "value"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
    throw new Usage(`${flag}: "${shown}" is not valid JSON`, { hint: "A text goes with -f, or in quotation marks." });
  }
  return JSON.stringify(value) === text ? { travel: "json", value } : { travel: "text", value: text };
}

/** What `-f` and `-F` give. */
export async function typedParameters(
  world: World,
  texts: readonly Given[] = [],
  documents: readonly Given[] = [],
): Promise<Parameter[]> {
  const all: Parameter[] = [];
  for (const given of texts) {
    const [name, value] = named("-f", given);
    const flag = `-f ${name}`;
    all.push({ name, flag, travel: "text", value: await textOf(world, flag, value) });
  }
  for (const given of documents) {
    const [name, value] = named("-F", given);
    const flag = `-F ${name}`;
    all.push({ name, flag, ...jsonOf(flag, await textOf(world, flag, value)) });
  }
  return all;
}

/** A form in a file, without the newline that ends its last line, and what it says. */
export async function formIn(world: World, given: Given): Promise<{ body: string; parameters: Parameter[] }> {
  const text = given.isStdin ? await readStdin(world, "--body") : await readFile(world, "--body", given.text);
  const body = text.replace(/\r?\n$/, "");
  if (/[^\x21-\x7e]/.test(body))
    throw new Usage("--body: not a form: it has spaces, line breaks or unescaped characters", {
      hint: "For example: name=Plans+%26+more&subscribers=%5B%5D",
    });
  return { body, parameters: textsOf(new URLSearchParams(body), "--body") };
}

export const textsOf = (form: URLSearchParams, flag: string): Parameter[] =>
  [...form].map(([name, value]) => ({ name, flag: `${flag} ${name}`, travel: "text", value }));

/** Throws `Usage` for a name that stands there twice: what a server makes of that is its own affair. */
export function checkNames(parameters: readonly Parameter[]): void {
  const seen = new Set<string>();
  for (const { name, flag } of parameters) {
    if (seen.has(name)) throw new Usage(`${flag}: the parameter "${name}" is given twice`);
    seen.add(name);
  }
}
