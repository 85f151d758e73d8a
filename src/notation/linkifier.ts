/** Checks a linkifier as servers do. Loads the RE2 engine: import this file lazily, with `await import(…)`. */
import { RE2JS } from "re2js";
import { strip } from "../common/folding.ts";
import { BadExpression, type Expression, readExpression } from "./regular-expression.ts";
import { readUrlTemplate } from "./url-template.ts";

/** The parameters of `POST /realm/filters`, under the server's names. */
interface LinkifierParameters {
  pattern: string;
  url_template: string;
  example_input?: string | null;
  reverse_template?: string | null;
  alternative_url_templates?: readonly string[];
}

/** The body of the server's refusal: all errors by field (`__all__` for several fields), and the first one. */
interface LinkifierRefusal {
  msg: string;
  errors: Record<string, string[]>;
}

class Invalid extends Error {}

const firstSorted = (names: Iterable<string>): string | undefined => [...names].sort()[0];

/** Returns the text that a link becomes by its reverse template. */
function expandReverse(template: string, { aliases }: Expression, group: (alias: string) => string | null): string {
  let text = "";
  for (let at = 0; at < template.length; ) {
    const pair = template.slice(at, at + 2);
    if (pair === "{{" || pair === "}}") {
      text += pair[0];
      at += 2;
    } else if (template[at] === "{") {
      const end = template.indexOf("}", at);
      if (end < 0) throw new Invalid("Invalid auto-conversion field: missing '}' character.");
      const name = template.slice(at + 1, end);
      if (!name) throw new Invalid("Invalid auto-conversion field: empty field name.");
      const alias = aliases.get(name);
      if (!alias) throw new Invalid(`Group '${name}' in auto-conversion field is not present in linkifier pattern.`);
      text += group(alias) ?? "";
      at = end + 1;
    } else {
      text += template[at];
      at += 1;
    }
  }
  return text;
}

function compile({ source }: Expression): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

function checkExample(expression: Expression, { example_input, reverse_template }: LinkifierParameters): void {
  const example = strip(example_input ?? "");
  const template = strip(reverse_template ?? "");
  // The server's message for a reverse template without an example is unknown.
  if (template && !example) throw new Invalid("Example text is required by the auto-conversion field.");
  if (!example) return;
  const matcher = compile(expression)?.matcher(example);
  // The server checks what cannot be checked here, such as a thousand nested brackets.
  if (!matcher) return;
  if (!matcher.find()) throw new Invalid("Example input does not match the linkifier pattern.");
  if (template && expandReverse(template, expression, (alias) => matcher.group(alias)) !== example)
    throw new Invalid("Example text does not match auto-conversion field.");
}

/** Checks pattern and template together, up to the first error like servers. */
function checkTogether(candidate: LinkifierParameters): void {
  const expression = readExpression(candidate.pattern);
  checkExample(expression, candidate);
  const template = readUrlTemplate(candidate.url_template);
  if (!template) return;
  const groups = new Set(expression.groups);
  const names = new Set(template.names);
  const unknown = firstSorted([...names].filter((name) => !groups.has(name)));
  if (unknown !== undefined)
    throw new Invalid(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
  const unused = firstSorted([...groups].filter((name) => !names.has(name)));
  if (unused !== undefined) throw new Invalid(`Group '${unused}' in linkifier pattern is not present in URL template.`);
}

/** Returns what is wrong with a template in the form of Zulip 6 and older. */
export function olderForm({
  pattern,
  url_template,
}: Pick<LinkifierParameters, "pattern" | "url_template">): string | undefined {
  const [form, named] = /%(?:\(([^()]*)\))?s/.exec(url_template) ?? [];
  const group = named ?? /\(\?P<(\w+)>/.exec(pattern)?.[1] ?? "name";
  return form && `${form} is the form of Zulip 6 and older: write {${group}}`;
}

function problemOf(candidate: LinkifierParameters): string | undefined {
  try {
    checkTogether(candidate);
    return undefined;
  } catch (error) {
    if (error instanceof BadExpression) return `Bad regular expression: ${error.message}`;
    if (error instanceof Invalid) return error.message;
    throw error;
  }
}

/** Returns the refusal, if any. `exists`: whether the organization has a linkifier with the pattern. */
export function checkLinkifier(
  linkifier: LinkifierParameters,
  exists: (pattern: string) => boolean = () => false,
): LinkifierRefusal | undefined {
  const candidate = { ...linkifier, pattern: strip(linkifier.pattern), url_template: strip(linkifier.url_template) };
  const { pattern, url_template, alternative_url_templates = [] } = candidate;
  const errors: Record<string, string[]> = {};
  const add = (field: string, message: string | undefined) => {
    if (message !== undefined) errors[field] = [...(errors[field] ?? []), message];
  };
  if (!pattern) add("pattern", "This field cannot be blank.");
  if (!url_template) add("url_template", "This field cannot be blank.");
  else if (!readUrlTemplate(url_template)) add("url_template", "Invalid URL template.");
  // The server's error for a malformed alternative is unknown. This is the one for the main template.
  if (alternative_url_templates.some((template) => !readUrlTemplate(template)))
    add("alternative_url_templates", "Invalid URL template.");
  add("__all__", problemOf(candidate));
  if (pattern && exists(pattern)) add("__all__", "Realm filter with this Realm and Pattern already exists.");
  const msg = Object.values(errors)[0]?.[0];
  return msg === undefined ? undefined : { msg, errors };
}
