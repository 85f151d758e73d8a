/** Writes the page of the API calls that zulipctl makes, from their definitions in `src/api`. */
import { operations } from "../../src/api/registry.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

/** Every supported server has this feature level. */
const minimum = 371;

const least: Readonly<Record<string, string>> = {
  owner: "owners",
  administrator: "administrators",
  member: "members",
};

function row({ name, method, path, answer, who, since = 0, deprecated }: AnyOperation): string {
  const requirements = [
    ...(who?.role && least[who.role] ? [least[who.role]] : []),
    ...(since > minimum ? [`level ${since}`] : []),
    ...(deprecated ? [`deprecated in level ${deprecated}`] : []),
  ];
  const url = answer === "bytes" ? path : `/api/v1${path}`;
  return `| \`${name}\` | \`${method} ${url}\` | ${requirements.join(", ")} |`;
}

/** `docs/operations.md`. */
export function operationsPage(): string {
  const all = operations().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `# Operations

Journals, dry runs, results and the log name a call of Zulip's API by its operation. Zulip's
[API documentation](https://zulip.com/api/) explains the parameters. Call any other endpoint with \`zulipctl api\`.

| operation | request | requires |
| --- | --- | --- |
${all.map(row).join("\n")}
`;
}
