/** Archives that are damaged or malicious. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar";
import { describe, expect, test } from "vitest";
import { logChange } from "../../src/audit/entry.ts";
import { readExportLog } from "../../src/audit/read-export.ts";
import { Usage } from "../../src/errors.ts";

const archiveBytes = readFileSync(join(import.meta.dirname, "../data/exports/open-1.tar.gz"));
const unpacked = gunzipSync(archiveBytes);

async function* inPieces(bytes: Uint8Array, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function entriesOf(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const { log, names } = await readExportLog({} as never, { name: "x.tar.gz", bytes }, () => {});
  const all: string[] = [];
  for (const row of log.rows()) {
    names.replay(row, "1");
    const one = logChange(row, names);
    if (one) all.push(JSON.stringify(one.entry));
  }
  return all;
}

const errorOf = (bytes: AsyncIterable<Uint8Array>): Promise<Error | undefined> =>
  entriesOf(bytes).then(
    () => undefined,
    (error: Error) => error,
  );

interface Member {
  path: string;
  body?: string;
  type?: string;
  linkpath?: string;
  size?: number;
}

/** A tar archive of these members. */
function archive(...members: Member[]): Buffer {
  const blocks = members.flatMap(({ path, body = "", type = "File", linkpath, size }) => {
    const bytes = Buffer.from(body);
    const header = Buffer.alloc(512);
    new Header({ path, mode: 0o644, size: size ?? bytes.length, type: type as "File", linkpath }).encode(header);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const person = { id: 9, delivery_email: "a@example.com", full_name: "A", role: 100, date_joined: 1 };
const row = { id: 1, event_time: 1, event_type: 207, acting_user: 9, extra_data: {} };
const realm = (rows: string) => ({
  path: "zulip-export-x/realm.json",
  body: `{"zerver_realm":[{"id":1,"name":"x"}],"zerver_userprofile":${JSON.stringify([person])},"zerver_realmauditlog":${rows}}`,
});
const deep = "[".repeat(100) + "]".repeat(100);

describe("refuses an archive", () => {
  test.each<[string, Uint8Array, RegExp]>([
    ["that is not one", Buffer.from("hello"), /not a complete export/],
    ["that is empty", new Uint8Array(), /not a complete export/],
    ["without realm.json", gzipSync(archive({ path: "x/stats.json", body: "{}" })), /no realm\.json/],
    [
      "with a link for realm.json",
      gzipSync(archive({ path: "x/realm.json", type: "SymbolicLink", linkpath: "/etc/passwd" })),
      /no realm\.json/,
    ],
    [
      "with realm.json outside of its folder",
      gzipSync(archive({ path: "../../realm.json", body: "{}" })),
      /no realm\.json/,
    ],
    ["with two realm.json", gzipSync(archive(realm("[]"), realm("[]"))), /twice/],
    [
      "that is shorter than its header says",
      gzipSync(archive({ ...realm("[]"), size: 4096 })),
      /not a complete export|ends early/,
    ],
    [
      "with a list in place of an object",
      gzipSync(archive({ path: "x/realm.json", body: "[]" })),
      /not one JSON object/,
    ],
    ["with JSON that ends early", gzipSync(archive({ path: "x/realm.json", body: '{"zerver_realm":[' })), /ends early/],
    ["with rows that are not objects", gzipSync(archive(realm("[1,2]"))), /not JSON|not an object|ends early/],
    ["with texts for rows", gzipSync(archive(realm('["a"]'))), /not an object/],
    ["with a row that is not JSON", gzipSync(archive(realm("[{a:1}]"))), /zerver_realmauditlog/],
    ["with deep rows", gzipSync(archive(realm(`[{"a":${deep}}]`))), /nested too deeply/],
    [
      "with numbers that are too large",
      gzipSync(archive(realm(`[${JSON.stringify(row).replace("9", "90071992547409931")}]`))),
      /too large/,
    ],
    ["with invalid ids", gzipSync(archive(realm(JSON.stringify([{ ...row, id: "x" }])))), /id: must be a whole number/],
    [
      "with invalid times",
      gzipSync(archive(realm(JSON.stringify([{ ...row, event_time: 1e300 }])))),
      /event_time: must be a time/,
    ],
    [
      "that unpacks to much more than its size",
      gzipSync(archive({ path: "x/uploads/a", body: "\0".repeat(50_000_000) }, realm("[]"))),
      /not a complete export/,
    ],
  ])("%s", async (_what, bytes, words) => {
    const error = await errorOf(inPieces(bytes));
    expect(error).toBeInstanceOf(Usage);
    expect(error?.message).toMatch(words);
  });
});

test("refuses an archive that is cut anywhere", async () => {
  for (let at = 0; at < archiveBytes.length - 8; at += 997)
    expect(await errorOf(inPieces(archiveBytes.subarray(0, at))), `cut at ${at}`).toBeInstanceOf(Usage);
});

test("reads a plain tar like a compressed one, in pieces of any size", async () => {
  const expected = await entriesOf(inPieces(archiveBytes));
  for (const size of [511, 4096, 1 << 20]) expect(await entriesOf(inPieces(unpacked, size))).toEqual(expected);
});

test("reads or refuses a thousand damaged archives without a crash", { timeout: 240_000 }, async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let refused = 0;
  for (let n = 0; n < 1000; n++) {
    const inner = n % 2 === 0;
    const bytes = Buffer.from(inner ? unpacked : archiveBytes);
    for (let times = 1 + random(3); times > 0; times--) bytes[random(bytes.length)] = random(256);
    const error = await errorOf(inPieces(inner && n % 4 === 0 ? gzipSync(bytes, { level: 1 }) : bytes));
    if (error) {
      expect(error, String(error.stack)).toBeInstanceOf(Usage);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(100);
});
