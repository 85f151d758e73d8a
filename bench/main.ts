/** `npm run bench [-- <part>...]`: prints a table and writes `bench/results.json` where it ran all parts. It fails if a figure is above its limit. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { audit } from "./audit.ts";
import { batches } from "./batches.ts";
import type { Bench } from "./bench.ts";
import { channels } from "./channels.ts";
import { downloads } from "./downloads.ts";
import { each } from "./each.ts";
import { lists } from "./lists.ts";
import type { Env } from "./measure.ts";
import { run } from "./measure.ts";
import { organization } from "./organization.ts";
import { permissions } from "./permissions.ts";
import { record } from "./record.ts";
import { manyRequests } from "./requests.ts";
import { peerOf } from "./sites.ts";
import { sources } from "./sources.ts";
import { beginnings } from "./start.ts";
import { exceeded, type Figure, table } from "./table.ts";
import { undo } from "./undo.ts";
import { watch } from "./watch.ts";

async function pythonWith(env: Env): Promise<string | undefined> {
  try {
    // What is called python3 may be a script that looks for it.
    return (
      await run(["python3", "-c", "import requests, sys; print(sys.executable)"], env, { quietly: false })
    ).out.trim();
  } catch {
    return undefined;
  }
}

const machine = () => {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpu?.model.trim()}, ${cpus().length} cores, ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
};

const parts = {
  beginnings,
  lists,
  channels,
  manyRequests,
  batches,
  record,
  each,
  downloads,
  permissions,
  organization,
  sources,
  undo,
  audit,
  watch,
};

/** Runs the parts in the arguments, or all. */
export async function bench(root: string, directory: string, only: readonly string[]): Promise<void> {
  const begun = Date.now();
  const home = await mkdtemp(join(tmpdir(), "bench-home-"));
  const env = (site: string): Env => ({
    PATH: process.env.PATH ?? "",
    HOME: home,
    ZULIPCTL_CACHE_DIR: join(home, "cache"),
    LANG: "C.UTF-8",
    ZULIP_SITE: site,
    ZULIP_EMAIL: "ada@chat.example",
    ZULIP_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
  });
  const peer = peerOf(join(directory, "peer.js"));
  const python = await pythonWith(env(""));
  const program = [process.execPath, join(root, "bin/zulipctl.js")];
  const means: Bench = { program, directory, env, peer, python, file: (name) => join(home, name) };
  const figures: Figure[] = [];
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (only.length && !only.includes(name)) continue;
      process.stderr.write(`${name} …\n`);
      figures.push(...(await part(means)));
    }
  } finally {
    peer.close();
    await rm(home, { recursive: true, force: true });
  }
  const seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(`${machine()}; ${seconds} s\n\n${table(figures)}`);
  const above = exceeded(figures);
  if (above.length) {
    process.stderr.write(`${above.join("\n")}\n`);
    process.exitCode = 1;
  }
  if (only.length) return;
  await writeFile(
    join(root, "bench/results.json"),
    `${JSON.stringify({ machine: machine(), seconds, figures }, null, 2)}\n`,
  );
}
