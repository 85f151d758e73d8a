/**
 * zuliprc files, read as Zulip's own tools read them: with Python's configparser. The usual INI libraries differ from
 * it in what begins a comment, in quotes, in backslashes and in words like `true`, and would change keys and paths.
 */
import { Usage } from "../errors.ts";

export interface Zuliprc {
  site: string;
  email: string;
  key: string;
  insecure?: string;
  cert_bundle?: string;
  client_cert?: string;
  client_cert_key?: string;
}

/** A value with those put in that it refers to. */
interface Expanded {
  text: string;
  /** How many values with a percent sign stand one in the other, this one included. */
  levels: number;
}

/** As in configparser. */
const deepest = 10;
/** Characters. A few values that refer to each other often enough would fill the memory. */
const longest = 65_536;

const optional = ["insecure", "cert_bundle", "client_cert", "client_cert_key"] as const;

/** Throws `Usage` that names the file and the line, and never quotes a value. */
export function parseZuliprc(text: string, path: string): Zuliprc {
  const wrong = (what: string, line?: number) =>
    new Usage(`the zuliprc ${path}${line === undefined ? "" : `, line ${line},`} ${what}`, {
      hint: "A zuliprc holds [api] and, below it, email=…, key=… and site=…",
    });
  const options = new Map<string, { value: string; line: number }>();
  let section: string | undefined;
  for (const [n, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (!line || /^[#;]/.test(line)) continue;
    const header = /^\[(.+)\]/.exec(line);
    if (header) section = header[1];
    else if (section === undefined) throw wrong("stands before any section such as [api]", n + 1);
    else if (section === "api") {
      const [, name = "", value = ""] = /^([^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
      if (!name) throw wrong("is neither a section nor of the form name=value", n + 1);
      if (options.has(name.toLowerCase())) throw wrong(`gives ${name.toLowerCase()} twice`, n + 1);
      options.set(name.toLowerCase(), { value, line: n + 1 });
    }
  }
  if (section === undefined || !options.size) throw wrong("has no section [api] with anything in it");

  const done = new Map<string, Expanded>();
  const within = new Set<string>();
  const expand = (name: string, depth: number): Expanded | undefined => {
    const { value, line } = options.get(name) ?? {};
    if (value === undefined) return undefined;
    // Only what has a percent sign itself counts as a level.
    if (!value.includes("%")) return { text: value, levels: 0 };
    if (within.has(name)) throw wrong(`has in ${name} a value that refers to itself`, line);
    const before = done.get(name);
    if (depth + (before?.levels ?? 1) - 1 > deepest)
      throw wrong(`has in ${name} a value that refers to others more than ${deepest} deep`, line);
    if (before) return before;
    within.add(name);
    let levels = 1;
    let length = 0;
    const text = value.replace(/%(%|\(([^)]*)\)s|)/g, (_, what: string, other?: string) => {
      const found = other === undefined ? undefined : expand(other.toLowerCase(), depth + 1);
      if (what !== "%" && !found)
        throw wrong(`uses % in ${name} in a way that means nothing: a percent sign is %%`, line);
      levels = Math.max(levels, 1 + (found?.levels ?? 0));
      length += found?.text.length ?? 1;
      if (length > longest) throw wrong(`has in ${name} a value of more than ${longest} characters`, line);
      return found?.text ?? "%";
    });
    within.delete(name);
    const expanded = { text, levels };
    done.set(name, expanded);
    return expanded;
  };
  const expanded = (name: string) => expand(name, 1)?.text;
  const required = (name: "site" | "email" | "key") => {
    const value = expanded(name);
    if (!value) throw wrong(`has no ${name} in its section [api]`);
    return value;
  };
  const rest = Object.fromEntries(optional.map((name) => [name, expanded(name) || undefined]));
  return { site: required("site"), email: required("email"), key: required("key"), ...rest };
}
