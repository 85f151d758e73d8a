/**
 * Reads zuliprc files like Zulip's own tools, which use Python's configparser. Common INI libraries treat comments,
 * quotes, backslashes and words like `true` differently. They would change keys and paths.
 */
import { keyed } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { refuseQuotes } from "./quotes.ts";

const names = ["email", "key", "site", "insecure", "cert_bundle", "client_cert", "client_cert_key"] as const;

type Options = Map<string, { value: string; line: number }>;

/** Throws `Usage` with file and line. It never quotes a value. Options of [DEFAULT] count for [api] too. */
export function parseZuliprc(text: string, path: string) {
  const invalid = (what: string, line?: number) =>
    new Usage(`the zuliprc ${path}${line === undefined ? "" : `, line ${line},`} ${what}`, {
      hint: "A zuliprc holds [api] and, below it, email=…, key=… and site=…",
    });
  const sections: Record<"api" | "DEFAULT", Options> = { api: new Map(), DEFAULT: new Map() };
  let section: string | undefined;
  let hasApi = false;
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const [n, raw] of lines.entries()) {
    const line = raw.trim();
    if (!line || /^[#;]/.test(line)) continue;
    const header = /^\[(.+)\]/.exec(line);
    if (header) {
      section = header[1];
      hasApi ||= section === "api";
    } else if (section === undefined) throw invalid("must be below a section such as [api]", n + 1);
    else if (section === "api" || section === "DEFAULT") {
      const options = sections[section];
      const [, name = "", value = ""] = /^([^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
      if (!name) throw invalid("is neither a section nor of the form name=value", n + 1);
      if (options.has(name.toLowerCase())) throw invalid(`has ${name.toLowerCase()} twice`, n + 1);
      options.set(name.toLowerCase(), { value, line: n + 1 });
    }
  }
  const options: Options = new Map([...sections.DEFAULT, ...sections.api]);
  if (!hasApi || !options.size) throw invalid("has no section [api] with anything in it");

  const optionOf = (name: string): string | undefined => {
    const { value, line } = options.get(name) ?? {};
    return value?.replace(/%(%?)/g, (_, second: string) => {
      if (!second) throw invalid(`has a % in ${name}: write a percent sign as %%`, line);
      return "%";
    });
  };
  const { email, key, ...others } = keyed(names, (name) => optionOf(name) || undefined);
  if (!email || !key) throw invalid(`has no ${email ? "key" : "email"} in its section [api]`);
  for (const [name, value] of Object.entries({ site: others.site ?? "", email, key }))
    refuseQuotes(value, `${name} in ${path}`);
  return { email, key, ...others };
}
