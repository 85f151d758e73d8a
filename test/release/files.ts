/** Files that later releases must read: a snapshot, a plan, organization files, the journal of a batch. */
import { fresh, type Options, zulipctl } from "../run.ts";

export type Files = Map<string, string>;

/** The rows of the batch. */
const rows: readonly [string, string] = ["rows.csv", "name\nOne\nTwo\nThree\n"];
const words = ["batch", "rows.csv", "--yes", "--journal", "journal.jsonl"];
const command = ["--", "folder", "create", "{name}"];

/** Runs a command on the files, in a fresh sandbox. Throws if it fails. */
async function run(files: Files, argv: readonly string[], options: Options = {}) {
  const result = await zulipctl(argv, { ...options, files });
  if (result.code !== 0) throw new Error(`zulipctl ${argv.join(" ")} ended with ${result.code}: ${result.err}`);
  return result;
}

/** Writes the files with the present program. */
export async function writeFiles(): Promise<Files> {
  const files: Files = new Map([rows]);
  files.set("organization.yaml", (await run(files, ["org", "export", "-o", "yaml"])).out);
  await run(files, ["org", "snapshot", "--to", "snapshot.json"]);
  files.set("wanted.yaml", "channels: [{ name: design, description: Drafts }]\n");
  await run(files, ["org", "plan", "wanted.yaml", "--out", "plan.json"]);
  await run(files, [...words, ...command]);
  // Without the files of the state directory.
  return new Map([...files].filter(([name]) => !name.includes("/")));
}

/** Reads the files with the present program, and returns the results. Throws if this fails. */
export async function readAgain(files: Files) {
  const compared = await run(files, ["org", "plan", "organization.yaml", "--from", "snapshot.json"], { env: {} });
  const sandbox = fresh();
  await run(files, ["org", "apply", "plan.json", "--yes", "--quiet"], { sandbox });
  const design = [...sandbox.state.channels.values()].find(({ name }) => name === "design");
  // A process was killed after the first row.
  const entries = (files.get("journal.jsonl") ?? "").split("\n");
  const first = entries.findIndex((line) => line.startsWith('{"answered":1'));
  files.set("journal.jsonl", `${entries.slice(0, first + 1).join("\n")}\n`);
  const resumed = await run(files, [...words, "--resume", "journal.jsonl", ...command]);
  return {
    compared: compared.out,
    description: design?.description,
    created: resumed.sent.filter(({ method }) => method === "POST").map(({ body }) => body),
  };
}
