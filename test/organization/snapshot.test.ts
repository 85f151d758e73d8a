/** Snapshots in files. */
import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { makeSnapshot, readSnapshot } from "../../src/organization/snapshot.ts";
import { fresh, zulipctl } from "../run.ts";

async function saved(level?: number) {
  const sandbox = fresh({ level });
  const files = new Map<string, string>();
  const ran = await zulipctl(["org", "snapshot", "--to", "all.json"], { sandbox, files });
  return { ...ran, sandbox, text: files.get("all.json")! };
}

describe("org snapshot", () => {
  test.each([
    [500, 4],
    [442, 4],
    [389, 4],
    [388, 3],
  ])(
    "on level %i keeps the whole organization with %i requests, and leaves no queue behind",
    async (level, requests) => {
      const { code, err, text, sandbox, sent } = await saved(level);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(sent.length).toBe(requests);
      expect(sandbox.state.queues.size).toBe(0);
      const { organization, ...told } = readSnapshot(text, "all.json");
      expect(told).toMatchObject({ site: "https://chat.example", email: "iris@sandbox.example", feature_level: level });
      const channels = [organization.subscriptions, organization.unsubscribed, organization.never_subscribed].flat();
      expect(channels.map(({ name }) => name).sort()).toEqual(
        [...sandbox.state.channels.values()]
          .filter(({ is_archived }) => level >= 315 || !is_archived)
          .map(({ name }) => name)
          .sort(),
      );
      expect(channels.every(({ subscribers }) => Array.isArray(subscribers))).toBe(true);
      expect(organization.realm_user_groups.length).toBe(sandbox.state.groups.size);
      expect(organization.realm_linkifiers?.length).toBe(sandbox.state.linkifiers.length);
    },
  );

  test("contains no key, and no invitation link", async () => {
    const sandbox = fresh();
    const files = new Map<string, string>();
    const invitation = { id: 1, key: "a-secret-link", invited_by_user_id: 8, invited: 0, expiry_date: null };
    sandbox.state.invitations.push({
      ...invitation,
      email: null,
      invited_as: 400,
      notify_referrer_on_join: false,
      revoked: false,
    } as never);
    await zulipctl(["org", "snapshot", "--to", "all.json"], { sandbox, files });
    const text = files.get("all.json")!;
    expect(JSON.parse(text).invites).toMatchObject([{ id: 1, is_multiuse: true }]);
    expect(text).not.toContain("a-secret-link");
    for (const { api_key } of sandbox.state.users.values()) expect(text).not.toContain(api_key);
  });

  test("shows the reads in a dry run, and writes no file", async () => {
    const files = new Map<string, string>();
    const { code, out, sent } = await zulipctl(["org", "snapshot", "--to", "all.json", "--dry-run"], { files });
    expect({ code, sent, there: files.has("all.json") }).toEqual({ code: 0, sent: [], there: false });
    expect(out).toMatch(/POST .*\/register[\s\S]*DELETE .*\/events[\s\S]*\/channel_folders[\s\S]*\/invites/);
  });
});

describe("a saved snapshot", () => {
  const refusal = (text: string): string => {
    try {
      readSnapshot(text, "all.json");
    } catch (error) {
      if (error instanceof Usage) return error.message;
      throw error;
    }
    return "";
  };

  test("is read back unchanged", async () => {
    const { text } = await saved();
    expect(readSnapshot(text, "all.json")).toEqual(JSON.parse(text));
  });

  test("is rejected if it is not a snapshot, of another version, or edited", async () => {
    const { text } = await saved();
    const told = JSON.parse(text);
    expect(refusal('{\n  "format": x')).toMatch(/^all\.json:2:13: not valid JSON/);
    expect(refusal("[]")).toBe("all.json is not a snapshot of an organization");
    expect(refusal("null")).toBe("all.json is not a snapshot of an organization");
    expect(refusal(JSON.stringify({ ...told, version: 2 }))).toBe(
      "all.json is a snapshot of version 2; this zulipctl reads version 1",
    );
    told.organization.realm_users[1].user_id = "x";
    expect(refusal(JSON.stringify(told))).toBe("all.json: organization.realm_users[1].user_id: must be a whole number");
  });
});

test("removes keys and links everywhere, and nothing else", async () => {
  const { organization } = JSON.parse((await saved()).text);
  const told = (secret: object, named: object) => ({
    ...organization,
    ...secret,
    realm_integrations: [
      null,
      3,
      [{ name: "a", ...secret }, "x"],
      { config: { list: [1, 2], ...secret, ...named }, tokens: 2 },
    ],
  });
  const named = JSON.parse('{ "__proto__": { "deep": true }, "apikey": "kept", "constructor": 1 }');
  const secret = { bot_api_key: "s3cret", token: "s3cret", jitsi_password: ["s3cret"], link_url: { is: "s3cret" } };
  const answers = { taken: 0, site: "https://chat.example", email: "a@b.example", folders: null, invites: [] };
  const whole = makeSnapshot({ ...answers, registered: told(secret, { ...named, inside: secret }) });
  expect(JSON.stringify(whole)).toBe(
    JSON.stringify(makeSnapshot({ ...answers, registered: told({}, { ...named, inside: {} }) })),
  );
  expect(JSON.stringify(whole)).toContain(JSON.stringify({ list: [1, 2], ...named, inside: {} }));
});

test("removes keys and links before and after a part that contains one", async () => {
  const { organization } = JSON.parse((await saved()).text);
  const answers = { taken: 0, site: "https://chat.example", email: "a@b.example", folders: null, invites: [] };
  const bots = [{ api_key: "s3cret", services: [{ token: "s3cret", id: 1 }], password: "s3cret", name: "b" }];
  const registered = { a_token: "s3cret", ...organization, realm_more: { bots, api_key: "s3cret" }, z_token: "s3cret" };
  const text = JSON.stringify(makeSnapshot({ ...answers, registered }));
  expect(text).not.toContain("s3cret");
  expect(text).toContain(JSON.stringify({ bots: [{ services: [{ id: 1 }], name: "b" }] }));
});

test("refuses an answer of another form", () => {
  const answers = { taken: 0, site: "https://chat.example", email: "a@b.example", folders: null, invites: [] };
  expect(() => makeSnapshot({ ...answers, registered: { zulip_version: "1" } })).toThrow(
    "organization.user_id: is missing",
  );
});
