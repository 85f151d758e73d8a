/**
 * Reads zuliprc files like Zulip's own tools, which use Python's configparser. Common INI libraries treat comments,
 * quotes, backslashes and words like `true` differently. They would change keys and paths.
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

const optional = ["insecure", "cert_bundle", "client_cert", "client_cert_key"] as const;

/** Throws `Usage` with file and line. It never quotes a value. */
export function parseZuliprc(text: string, path: string): Zuliprc {
  const invalid = (what: string, line?: number) =>
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
    else if (section === undefined) throw invalid("must be below a section such as [api]", n + 1);
    else if (section === "api") {
      const [, name = "", value = ""] = /^([^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
      if (!name) throw invalid("is neither a section nor of the form name=value", n + 1);
      if (options.has(name.toLowerCase())) throw invalid(`gives ${name.toLowerCase()} twice`, n + 1);
      options.set(name.toLowerCase(), { value, line: n + 1 });
    }
  }
  if (section === undefined || !options.size) throw invalid("has no section [api] with anything in it");

  const optionOf = (name: string): string | undefined => {
    const { value, line } = options.get(name) ?? {};
    return value?.replace(/%(%?)/g, (_, second: string) => {
      if (!second) throw invalid(`uses % in ${name}: a percent sign is written %%`, line);
      return "%";
    });
  };
  const required = (name: "site" | "email" | "key") => {
    const value = optionOf(name);
    if (!value) throw invalid(`has no ${name} in its section [api]`);
    return value;
  };
  const rest = Object.fromEntries(optional.map((name) => [name, optionOf(name) || undefined]));
  return { site: required("site"), email: required("email"), key: required("key"), ...rest };
}
