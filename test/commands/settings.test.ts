import { describe, expect, test } from "vitest";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { fresh, inProfile, zulipctl, zulipctlAsking } from "../run.ts";

const changing = (sent: { method: string; url: string; body?: string }[]) =>
  sent.filter(({ method }) => method === "PATCH").map(({ url, body }) => `${url.replace(/.*\/v1/, "")} ${body}`);

test("settings update --new-users changes the defaults of new people", async () => {
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

test("reports the values in force after a refusal, in each record and in the error", async () => {
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

test("reports the values in force after a change without an answer", async () => {
  const fault = injectFaults([parseFault("502:applied=yes,op=organization.update")], async () => undefined);
  const sandbox = fresh({ disturb: fault });
  const { code, err } = await zulipctl(["settings", "update", "name=Acme"], { sandbox });
  expect(code).toBe(7);
  expect(err).toContain('zulipctl: In force now: name is "Acme".\n');
});

test("reads settings once in a batch, and compares each row with the result of earlier rows", async () => {
  const sandbox = fresh();
  const rows = "settings update name=Acme\nsettings update name=Sandbox\nsettings update name=Sandbox\n";
  const { code, sent } = await zulipctl(["batch", "-", "--format", "lines"], { sandbox, input: rows });
  expect({ code, changes: changing(sent), requests: sent.length }).toEqual({
    code: 0,
    changes: ["/realm name=Acme", "/realm name=Sandbox"],
    requests: 4,
  });
});

test("shows names in tables, and ids in JSON", async () => {
  const sandbox = fresh();
  const set = ["can_create_bots_group=user:8,group:designers", "signup_announcements_stream_id=general"];
  await zulipctl(["settings", "update", ...set], { sandbox });
  const show = ["settings", "show", "can_create_bots_group", "signup_announcements_stream_id"];
  expect((await zulipctl(show, { sandbox })).out).toBe(
    "NAME\tVALUE\tKIND\tWHO\tDEFAULT\tCHOICES\tDESCRIPTION\n" +
      "can_create_bots_group\tuser Iris Owner, group designers\tgroup\tadministrators\trole:members\t" +
      "a group, people, or nobody\tWho may create bots.\n" +
      "signup_announcements_stream_id\tgeneral\tchannel\tadministrators\tnone\ta channel, or none\t" +
      "The channel in which new people are announced.\n",
  );
  const { out } = await zulipctl([...show, "--jq", ".[].value"], { sandbox });
  expect(out).toBe('{"direct_members":[8],"direct_subgroups":[17]}\n2\n');
});

describe("settings update asks before", () => {
  const opening = fresh().state;
  const prepared = () => {
    const sandbox = fresh({ state: structuredClone(opening) });
    const { organization } = sandbox.state;
    organization.settings.emails_restricted_to_domains = true;
    organization.settings.disallow_disposable_email_addresses = true;
    organization.settings.enable_spectator_access = false;
    return sandbox;
  };
  const retention =
    "This deletes messages older than 30 days, in direct messages and in 6 channels without a retention of their own.";

  test.each([
    ["message_retention_days=30", retention],
    ["invite_required=false", "This lets anybody join without an invitation."],
    ["emails_restricted_to_domains=false", "This lets people join with an e-mail address of any domain."],
    ["disallow_disposable_email_addresses=false", "This lets people join with disposable e-mail addresses."],
    ["enable_spectator_access=true", "This shows 1 channel to the web, without an account: announcements."],
    ['authentication_methods={"Email":false}', "This switches off signing in with Email."],
    ["can_create_groups=role:everyone", "This gives can_create_groups to everyone, guests too."],
  ])("%s", async (assignment, consequence) => {
    const argv = ["settings", "update", "description=x", assignment];
    const sandbox = prepared();
    const asking = { sandbox, terminal: true, confirm: [false], ...inProfile(sandbox, "prod") };
    const no = await zulipctlAsking(argv, asking);
    expect({ code: no.code, asked: no.asked, changes: changing(no.sent) }).toEqual({
      code: 130,
      asked: [`Change the organization's settings on chat.example (profile prod)? ${consequence}`],
      changes: [],
    });
    // The lines before the question show current and desired values.
    expect(no.err).toContain(`${assignment.split("=")[0]}: `);
    const piped = await zulipctl(argv, { sandbox });
    expect({ code: piped.code, changes: changing(piped.sent) }).toEqual({ code: 2, changes: [] });
    expect(piped.err).toMatch(
      /^zulipctl: confirmation required: stdin is not a terminal\. .* Pass --yes to confirm\.\n$/,
    );
    // The server refuses the last two.
    const yes = await zulipctl([...argv, "--yes"], { sandbox });
    expect(changing(yes.sent).length).toBeGreaterThan(0);
    if (yes.code === 0) expect((await zulipctl(argv, { sandbox })).code).toBe(0);
  });

  test.each([
    "message_retention_days=unlimited",
    "invite_required=true",
    "can_create_groups=role:members",
    "authentication_methods=email",
  ])("but not before %s", async (assignment) =>
    expect((await zulipctl(["settings", "update", assignment], { sandbox: prepared() })).code).toBe(0),
  );
});
