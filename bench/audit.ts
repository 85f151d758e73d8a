/** The log of a large export: as fast as jq prints its rows, in memory that does not grow with it. */
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, run, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

const entries = 1_000_000;
const people = 100_000;
const channels = 500;
const groups = 100;
const begin = 1_700_000_000;

function* rows(size: number, row: (n: number) => object): Generator<string> {
  const together = 1000;
  for (let first = 0; first < size; first += together) {
    const part = Array.from({ length: Math.min(together, size - first) }, (_, n) => JSON.stringify(row(first + n)));
    yield `${first === 0 ? "" : ","}${part.join(",")}`;
  }
}

const types = [301, 303, 703, 704, 105, 124, 607, 101];

const entry = (n: number) => {
  const event_type = types[n % types.length]!;
  const named = event_type === 124 ? { "1": `Old name ${n}`, "2": `New name ${n}` } : {};
  const role = event_type === 105 ? { "1": 400, "2": 300, "10": { "11": { "100": 1, "200": 2, "400": n } } } : {};
  const channel = event_type === 607 ? { "1": "before", "2": `description ${n}`, property: "description" } : {};
  return {
    id: n + 1,
    event_time: begin + n * 3.25,
    backfilled: false,
    extra_data: { ...named, ...role, ...channel },
    event_type,
    realm: 2,
    acting_user: (n % 50) + 1,
    modified_user: event_type === 607 ? null : (n % people) + 1,
    modified_stream: event_type === 607 || event_type < 400 ? (n % channels) + 1 : null,
    modified_user_group: event_type > 700 ? (n % groups) + 1 : null,
    event_last_message_id: null,
  };
};

const person = (n: number) => ({
  id: n + 1,
  delivery_email: `person${n}@example.com`,
  full_name: `Ada Person ${n}`,
  role: 400,
  is_active: true,
  is_bot: false,
  date_joined: begin,
});

function* realm(): Generator<string> {
  yield '{"zerver_realm":[{"id":2,"name":"Large"}],"zerver_realmauditlog":[';
  yield* rows(entries, entry);
  yield '],"zerver_userprofile":[';
  yield* rows(people, person);
  yield '],"zerver_stream":[';
  yield* rows(channels, (n) => ({ id: n + 1, name: `channel ${n}` }));
  yield '],"zerver_namedusergroup":[';
  yield* rows(groups, (n) => ({ usergroup_ptr: n + 1, name: `group ${n}`, is_system_group: false }));
  yield "]}";
}

export async function audit({ program, env, file }: Bench): Promise<Figure[]> {
  const folder = join(file("audit"), "zulip-export-bench");
  const archive = file("audit.tar.gz");
  const where = env("https://chat.example");
  await mkdir(folder, { recursive: true });
  await pipeline(Readable.from(realm()), createWriteStream(join(folder, "realm.json")));
  await run(["tar", "czf", archive, "-C", dirname(folder), basename(folder)], where);
  const took = await inTurn(
    {
      zulipctl: [...program, "audit", "log", "--from", archive, "-o", "ndjson"],
      jq: ["sh", "-c", `tar xzOf ${archive} --wildcards '*/realm.json' | jq -c '.zerver_realmauditlog[]'`],
    },
    where,
    { rounds: 3 },
  );
  await rm(dirname(folder), { recursive: true });
  await rm(archive);
  const [own, jq] = [took.zulipctl, took.jq].map((all) => all.map(({ time }) => time)) as [number[], number[]];
  const what = "audit log, 1,000,000 entries";
  const peaks = took.zulipctl.flatMap(({ peak }) => peak ?? []);
  return [
    { what, value: spread(own), unit: "ms", ratios: { jq: ratio(own, jq) } },
    ...(peaks.length ? [{ what: `${what}, memory`, value: spread(peaks), unit: "MiB" as const, ratios: {} }] : []),
  ];
}
