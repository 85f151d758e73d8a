/** Compares the changes that were made on a real server with the log in its export. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type AuditEntry, logChange } from "../../src/audit/entry.ts";
import { readExportLog } from "../../src/audit/read-export.ts";
import { readRecords } from "../records.ts";

interface ChangeMade {
  by: string;
  what: string;
  on: string;
  from: unknown;
  to: unknown;
  status: number;
}

const data = join(import.meta.dirname, "../data/exports");
const changesMade = readRecords<ChangeMade>("exports/open-1.truth");
// The last change is the request for this export. It is not in the log yet.
const successful = changesMade.slice(0, -1).filter(({ status }) => status === 200);

let entries: AuditEntry[] = [];
beforeAll(async () => {
  const bytes = createReadStream(join(data, "open-1.tar.gz"));
  const { log, names } = await readExportLog({} as never, { name: "open-1.tar.gz", bytes }, () => {});
  for (const row of log.rows()) {
    names.replay(row, "1");
    const one = logChange(row, names);
    if (one && !one.hidden) entries.push(one.entry);
  }
  entries = entries.reverse().filter(({ time }) => time >= "2026-11-22T21:47:42.4");
});

/** Changes that servers do not log. */
const notLogged = /^(default channel|invited|profile field|domain)/;
/** Changes that were made twice. The second time nothing changed. */
const secondTime = successful.findIndex(({ what }) => what === "exported");
const unchanged = (what: string, at: number) =>
  at > secondTime && /^(setting (?!org_type)|new people's|own setting)/.test(what);

type Expected = {
  action: string;
  target?: unknown;
  subject?: unknown;
  property?: string;
  from?: unknown;
  to?: unknown;
};

function expected({ what, on, from, to }: ChangeMade): Expected {
  const [, permission] = /permission (\w+)$/.exec(what) ?? [];
  const who = (value: unknown) => (Array.isArray(value) ? { users: value } : value === "?" ? expect.anything() : value);
  const target = expect.objectContaining({ name: on });
  const exact = (value: unknown) =>
    typeof value === "string" && value.includes("?") ? expect.toSatisfy(() => true) : value;
  const subject = expect.objectContaining({ email: from ?? to });
  const named = expect.objectContaining({ name: from ?? to });
  const person = expect.objectContaining({ email: on });
  const bot = expect.objectContaining({ kind: "bot", name: `Bot ${on}` });
  const roles: Record<string, string> = { 300: "moderator", 400: "member" };
  const template = (value: unknown) => expect.objectContaining({ url_template: value });
  const pattern = expect.objectContaining({ name: expect.stringContaining(`${on}(`) });
  const [, setting] = /^setting (\w+)$/.exec(what) ?? [];
  if (setting && setting !== "org_type") {
    // The list has another description than the one that was sent.
    const values = setting === "description" ? {} : { from: exact(from), to };
    return { action: "setting.changed", property: setting, ...values };
  }
  if (permission) {
    const kind = what.startsWith("group") ? "group" : "channel";
    return { action: `${kind}.permission_changed`, target, property: permission, from: who(from), to: who(to) };
  }
  const all: Record<string, Expected> = {
    "channel created": { action: "channel.created", target },
    "channel renamed": { action: "channel.renamed", target, from, to },
    "channel description": { action: "channel.updated", property: "description", target, from: exact(from), to },
    "channel made private": { action: "channel.updated", property: "is_private", target, from, to },
    "channel made public": { action: "channel.updated", property: "is_private", target, from, to },
    "channel retention": { action: "channel.retention_changed", target, from: from ?? "realm_default", to },
    "channel archived": { action: "channel.archived", target },
    "subscribed themselves": { action: "channel.subscribed", target, subject },
    "subscribed somebody": { action: "channel.subscribed", target, subject },
    "unsubscribed somebody": { action: "channel.unsubscribed", target, subject },
    "group created": { action: "group.created", target },
    "group member added": { action: "group.member_added", target, subject },
    "group member removed": { action: "group.member_removed", target, subject },
    "group subgroup added": { action: "group.subgroup_added", target, subject: named },
    "group subgroup removed": { action: "group.subgroup_removed", target, subject: named },
    "group renamed": { action: "group.renamed", target, from, to },
    "group description": { action: "group.described", target, from, to },
    "group deactivated": { action: "group.deactivated", target },
    "role changed": { action: "user.role_changed", target: person, from: roles[String(from)], to: roles[String(to)] },
    "full name": { action: "user.renamed", target: expect.objectContaining({ email: on, name: from }), from, to },
    deactivated: { action: "user.deactivated", target: person },
    reactivated: { action: "user.reactivated", target: person },
    "bot created": { action: "bot.created", target: bot },
    "bot key regenerated": { action: "bot.api_key_changed", target: bot },
    "bot owner": { action: "bot.owner_changed", target: bot },
    "bot deactivated": { action: "bot.deactivated", target: bot },
    "setting org_type": { action: "setting.changed", property: "org_type", to: "education_nonprofit" },
    "own setting": { action: "user.setting_changed", target: person, property: "color_scheme", to: "dark" },
    "new people's setting": { action: "default_setting.changed", property: on, from, to },
    exported: { action: "export.created" },
    "linkifier added": { action: "linkifier.added", target: pattern },
    "linkifier changed": { action: "linkifier.changed", target: pattern, from: template(from), to: template(to) },
    "linkifier removed": { action: "linkifier.removed", target: pattern },
    "playground added": { action: "playground.added", target },
    "playground removed": { action: "playground.removed", target },
    "emoji added": { action: "emoji.added", target },
    "emoji removed": { action: "emoji.removed", target },
  };
  const found = all[what];
  if (!found) throw new Error(`no expectation for ${what}`);
  return found;
}

test("undoes later changes of a channel to say what it was created with", () => {
  const created = entries.filter(({ action }) => action === "channel.created");
  const [sable, raven] = ["sable-91b7", "raven-414c"].map((name) =>
    created.find(({ target }) => target?.name === name),
  );
  // It was made private, and its permissions were changed, afterwards.
  expect(sable?.to).toEqual({
    is_private: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: "realm_default",
    can_add_subscribers_group: "nobody",
    can_administer_channel_group: { users: ["owner3@example.com"] },
    can_remove_subscribers_group: "role:administrators",
    can_send_message_group: "role:everyone",
    can_subscribe_group: "nobody",
  });
  expect(raven?.to).toMatchObject({ is_private: true, history_public_to_subscribers: false });
});

test("has each change once, with author, name at the time, and values", () => {
  const unmatched = [...entries];
  const missing: unknown[] = [];
  for (const [at, each] of successful.entries()) {
    if (notLogged.test(each.what) || unchanged(each.what, at)) continue;
    const match = expected(each);
    const by = each.what === "linkifier removed" ? null : expect.objectContaining({ email: each.by });
    const matches = unmatched.filter((entry) => {
      try {
        expect(entry).toMatchObject({ by, ...match });
        return true;
      } catch {
        return false;
      }
    });
    if (matches.length === 0) missing.push(each);
    else unmatched.splice(unmatched.indexOf(matches[0]!), 1);
  }
  expect(missing).toEqual([]);
  // Servers also log the first members of channels and groups, and the history setting.
  const rest = unmatched.filter(
    ({ action, property }) =>
      !["channel.subscribed", "group.member_added"].includes(action) && property !== "history_public_to_subscribers",
  );
  expect(rest.map(({ action, property }) => [action, property])).toEqual([]);
});
