/**
 * URL templates of linkifiers: RFC 6570 with the additions of the server's library: a comma as an operator, `{n,}` (a
 * separator afterwards), `{n[]}`, `{n=default}` and `{shown/looked-up}`.
 */
import { parseTemplate } from "url-template";

interface Variable {
  /** The group of the pattern. It is also written before `=`. */
  name: string;
  /** The name that is looked up. */
  key: string;
  /** The number of characters to use. 0 for all. */
  prefix: number;
  explode: boolean;
  fallback: string | undefined;
}

interface TemplateExpression {
  operator: string;
  variables: Variable[];
  /** A separator after the values. It replaces the operator before them. */
  trailing: string;
}

interface UrlTemplate {
  /** Names of variables, each once. */
  readonly names: readonly string[];
  /** Null and absent values are left out. A default replaces only an absent value. */
  expand(groups: Readonly<Record<string, string | null>>): string;
}

const simple = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})[^\n]*\n?$/;
const specification = /^(?<path>[^=:]*?)(?:(?<prefix>:[^=]*)|(?<explode>\*|\[\]))?(?:=(?<fallback>[\s\S]*))?$/;

function readVariable(text: string): Variable | undefined {
  const { path = "", prefix, explode, fallback } = specification.exec(text)?.groups ?? {};
  if (!/^[A-Za-z0-9_]/.test(path)) return undefined;
  if (prefix !== undefined && (!/^:[0-9]{1,3}$/.test(prefix) || Number(prefix.slice(1)) === 0)) return undefined;
  if (!/^(?:[A-Za-z0-9_./]|%[0-9A-Fa-f]{2})*$/.test(path)) return undefined;
  // For `a/b/c` the library shows the part before the last named slash, and looks up the rest.
  const parts = path.split("/");
  const key = parts.at(-1)!;
  const name = parts.at(-2) || key;
  return {
    name,
    key: key || name,
    prefix: prefix ? Number(prefix.slice(1)) : 0,
    explode: explode !== undefined,
    fallback,
  };
}

function readExpression(inside: string): TemplateExpression | undefined {
  const operator = simple.test(inside) ? "" : (/^(?:,\+|[+#./;?&,])/.exec(inside)?.[0] ?? undefined);
  if (operator === undefined) return undefined;
  const list = inside.slice(operator.length);
  const trailing = /[,./;&]$/.exec(list)?.[0] ?? "";
  const variables = list
    .slice(0, list.length - trailing.length)
    .split(",")
    .map(readVariable);
  return variables.every((variable) => variable !== undefined) ? { operator, variables, trailing } : undefined;
}

// url-template does not encode a percent sign before one hexadecimal digit.
const escapePercent = (text: string): string => text.replace(/%(?![0-9A-Fa-f]{2})/g, "%25");

const separators: Record<string, string> = { ".": ".", "/": "/", ";": ";", "?": "&", "&": "&" };
const prefixes: Record<string, string> = { "+": "", ",+": "," };

/** Expands a variable by RFC 6570, without its operator. */
function writeVariable(operator: string, { name, prefix, explode }: Variable, value: string): string {
  const used = prefix ? [...value].slice(0, prefix).join("") : value;
  // The server's library writes `=` after an exploded empty parameter, unlike the standard.
  if (operator === ";" && explode && used === "") return `${name}=`;
  const standard = operator === "," ? "" : operator === ",+" ? "+" : operator;
  const escaped = standard === "+" || standard === "#" ? escapePercent(used) : used;
  const expanded = parseTemplate(`{${standard}${name}}`).expand({ [name]: escaped });
  return standard === "" || standard === "+" ? expanded : expanded.slice(1);
}

function writeExpression(
  { operator, variables, trailing }: TemplateExpression,
  groups: Record<string, string | null>,
): string {
  const written = variables.flatMap((variable) => {
    const value = Object.hasOwn(groups, variable.key) ? groups[variable.key] : variable.fallback;
    return value === null || value === undefined ? [] : [writeVariable(operator, variable, value)];
  });
  if (!written.length) return "";
  return (trailing ? "" : (prefixes[operator] ?? operator)) + written.join(separators[operator] ?? ",") + trailing;
}

/** Undefined if the server would call the template invalid. */
export function readUrlTemplate(text: string): UrlTemplate | undefined {
  const parts: (string | TemplateExpression)[] = [];
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf("{", at);
    const bare = text.slice(at, open < 0 ? undefined : open);
    if (bare.includes("}")) return undefined;
    if (bare) parts.push(bare);
    if (open < 0) break;
    const close = text.indexOf("}", open);
    const expression = close < 0 ? undefined : readExpression(text.slice(open + 1, close));
    if (!expression) return undefined;
    parts.push(expression);
    at = close + 1;
  }
  const variables = parts.flatMap((part) => (typeof part === "string" ? [] : part.variables));
  return {
    names: [...new Set(variables.map(({ name }) => name))],
    expand: (groups) =>
      parts
        .map((part) =>
          typeof part === "string" ? parseTemplate(escapePercent(part)).expand({}) : writeExpression(part, groups),
        )
        .join(""),
  };
}
