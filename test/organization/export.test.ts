/** `org export` where a transcript is not enough: the schema, the order of things, and values of newer servers. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { exportContent } from "../../src/organization/export.ts";
import { fileSchema } from "../../src/organization/schema.ts";
import { fileShape } from "../../src/organization/section-registry.ts";
import { readSnapshot, type Snapshot } from "../../src/organization/snapshot.ts";
import { validate } from "../../src/organization/validate.ts";
import { fresh, zulipctl } from "../run.ts";

const isValid = new Ajv2020().compile(fileSchema());

test.each([507, 371])("matches the schema on level %i", async (level) => {
  const { code, err, out } = await zulipctl(["org", "export"], { sandbox: fresh({ level }) });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const value = parse(out);
  expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true);
  expect(validate(fileShape, value)).toEqual([]);
});

test("writes the same bytes whatever the server's order is, and from a snapshot", async () => {
  const files = new Map<string, string>();
  const sandbox = fresh();
  const first = await zulipctl(["org", "export"], { sandbox });
  await zulipctl(["org", "snapshot", "--to", "all.json"], { sandbox, files });
  const offline = await zulipctl(["org", "export", "--from", "all.json"], { files, env: {} });
  expect(offline).toEqual({ ...first, sent: [] });
  const { channels, groups, users } = sandbox.state;
  for (const all of [channels, groups, users] as Map<number, unknown>[]) {
    const reversed = [...all].reverse();
    all.clear();
    for (const [id, thing] of reversed) all.set(id, thing);
  }
  expect((await zulipctl(["org", "export"], { sandbox })).out).toBe(first.out);
});

test("leaves out values that are newer than this program, and names them", async () => {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "all.json"], { files });
  const snapshot = readSnapshot(files.get("all.json")!, "all.json") as Snapshot & {
    organization: { realm_digest_weekday: unknown };
  };
  snapshot.organization.realm_digest_weekday = "every day";
  const design = snapshot.organization.subscriptions.find(({ name }) => name === "design")!;
  design.topics_policy = "anything";
  snapshot.organization.realm_linkifiers!.unshift({ id: 90, pattern: " ", url_template: 7 } as never);
  const { value, omitted } = exportContent(snapshot, {});
  expect(omitted.map((line) => line.replace(/\.\d+\./, ".n.").replace(/: .*/, ""))).toEqual([
    "settings.digest_weekday",
    "channels.n.topics_policy",
    "linkifiers.n.pattern",
    "linkifiers.n.url_template",
  ]);
  expect((value.linkifiers as unknown[]).length).toBe(snapshot.organization.realm_linkifiers!.length - 1);
  expect(value.settings).not.toHaveProperty("digest_weekday");
  expect(validate(fileShape, JSON.parse(JSON.stringify(value)))).toEqual([]);
});
