import { expect, test } from "vitest";
import { disturbance } from "../../src/sandbox/disturb.ts";
import { parseFault } from "../../src/sandbox/faults.ts";
import { fresh, zulipctl } from "../run.ts";

const changing = (sent: { method: string; url: string; body?: string }[]) =>
  sent.filter(({ method }) => method === "PATCH").map(({ url, body }) => `${url.replace(/.*\/v1/, "")} ${body}`);

test("settings update --new-users changes what new people get", async () => {
  const sandbox = fresh();
  const values = ["twenty_four_hour_time=on", "emojiset=twitter", "web-font-size-px=14", "enter_sends=false"];
  const { code, out, sent } = await zulipctl(["settings", "update", "--new-users", ...values], { sandbox });
  expect({ code, out }).toEqual({
    code: 0,
    out: 'twenty_four_hour_time set to true; emojiset set to "twitter"; web_font_size_px set to 14.\n',
  });
  expect(changing(sent)).toEqual([
    "/realm/user_settings_defaults emojiset=twitter&twenty_four_hour_time=true&web_font_size_px=14",
  ]);
  const read = await zulipctl(["settings", "show", "--new-users", "emojiset", "--jq", ".[].value"], { sandbox });
  expect(read.out).toBe("twitter\n");
});

test("after a refusal, what is in force is in the record of each request and in the error", async () => {
  const argv = [
    "settings",
    "update",
    "message_content_delete_limit_seconds=unlimited",
    `description=${"x".repeat(1001)}`,
  ];
  const { code, out, err } = await zulipctl([...argv, "can_create_bots_group=role:nobody", "--json"]);
  expect(code).toBe(5);
  expect(JSON.parse(out)).toMatchObject([
    {
      target: "message_content_delete_limit_seconds, description",
      outcome: "refused",
      error: {
        outcome: "maybe_partial",
        in_force: { description: "", message_content_delete_limit_seconds: 600 },
      },
    },
    { target: "can_create_bots_group", outcome: "done" },
  ]);
  expect(JSON.parse(err).error).toMatchObject({ kind: "partial" });
});

test("a change without an answer stays unknown, and what is in force is told", async () => {
  const fault = disturbance([parseFault("502:applied=yes,op=organization.update")], async () => undefined);
  const sandbox = fresh({ disturb: fault });
  const { code, err } = await zulipctl(["settings", "update", "name=Acme"], { sandbox });
  expect(code).toBe(7);
  expect(err).toContain('zulipctl: In force now: name is "Acme".\n');
});

test("in a batch the settings are read once, and a row is compared with what earlier rows make of them", async () => {
  const sandbox = fresh();
  const rows = "settings update name=Acme\nsettings update name=Sandbox\nsettings update name=Sandbox\n";
  const { code, sent } = await zulipctl(["batch", "-", "--format", "lines"], { sandbox, input: rows });
  expect({ code, changes: changing(sent), requests: sent.length }).toEqual({
    code: 0,
    changes: ["/realm name=Acme", "/realm name=Sandbox"],
    requests: 4,
  });
});

test("names stand in the table for ids, and ids in JSON", async () => {
  const sandbox = fresh();
  const set = ["can_create_bots_group=user:8,group:designers", "signup_announcements_stream_id=general"];
  await zulipctl(["settings", "update", ...set], { sandbox });
  const show = ["settings", "show", "can_create_bots_group", "signup_announcements_stream_id"];
  expect((await zulipctl(show, { sandbox })).out).toBe(
    "NAME\tVALUE\tKIND\tWHO\ncan_create_bots_group\tuser Iris Owner, group designers\tgroup\tadministrators\n" +
      "signup_announcements_stream_id\tgeneral\tchannel\tadministrators\n",
  );
  const { out } = await zulipctl([...show, "--jq", ".[].value"], { sandbox });
  expect(out).toBe('{"direct_members":[8],"direct_subgroups":[17]}\n2\n');
});
