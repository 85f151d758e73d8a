/** One organization on servers of several levels: a file of one of them means the same to the others. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { organizationSettings } from "../../src/model/organization.ts";
import { personalSettings } from "../../src/model/personal.ts";
import type { Setting } from "../../src/model/setting.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

const levels = [371, 442, 500, 512];

/** Returns another allowed value. */
function other({ kind, values }: Setting, value: unknown): unknown {
  if (kind === "boolean") return !value;
  if (kind === "choice") return values?.find((each) => each !== value && each !== "y") ?? value;
  if (kind === "number" || kind === "limit") return 86_400;
  return kind === "text" ? "something else" : value;
}

const fixed: Readonly<Record<string, unknown>> = {
  video_chat_provider: 0,
  can_access_all_users_group: undefined,
  default_language: "de",
  jitsi_server_url: "https://meet.example",
  new_stream_announcements_stream_id: 2,
  signup_announcements_stream_id: 2,
  zulip_update_announcements_stream_id: 2,
  moderation_request_channel_id: 6,
  waiting_period_threshold: 3,
  mandatory_topics: true,
};

const ratings = ["disabled", "g", "pg", "pg-13", "r"] as const;

interface Words {
  readonly rating: (typeof ratings)[number];
  readonly view: string;
  readonly avatars: string;
}

/** Changes every setting, and what came with newer levels. */
function useEverything(
  { organization, linkifiers, profile_fields, channels, groups }: SandboxState,
  level: number,
  words: Words,
) {
  const { settings, permissions, defaults } = organization;
  const all: Readonly<Record<string, Setting>> = organizationSettings;
  const moderators = [...groups.values()].find(({ name }) => name === "role:moderators");
  for (const [name, setting] of Object.entries(all)) {
    if (Object.hasOwn(permissions, name) && !Object.hasOwn(fixed, name))
      Object.assign(permissions, { [name]: moderators?.id });
    if (!Object.hasOwn(settings, name)) continue;
    const value: unknown = Reflect.get(settings, name);
    Object.assign(settings, { [name]: Object.hasOwn(fixed, name) ? fixed[name] : other(setting, value) });
  }
  const rating = ratings.indexOf(words.rating);
  settings.gif_rating_policy = level > 371 || rating === 0 ? rating : rating + 1;
  settings.default_avatar_source = words.avatars;
  settings.media_preview_size = 200;
  for (const [name, setting] of Object.entries(personalSettings))
    Object.assign(defaults, { [name]: other(setting, setting.initial) });
  Object.assign(defaults, { notification_sound: "ding", web_font_size_px: 20, web_line_height_percent: 150 });
  defaults.web_home_view = words.view;
  defaults.email_notifications_batching_period_seconds = 300;
  for (const linkifier of linkifiers.filter(({ pattern }) => pattern.startsWith("#")))
    Object.assign(linkifier, {
      example_input: "#7",
      reverse_template: "#{id}",
      alternative_url_templates: ["https://old.example/{id}"],
    });
  for (const field of profile_fields) if (field.type === 1) field.use_for_user_matching = true;
  for (const channel of channels.values()) Object.assign(channel, { default_push_notifications: true });
}

const usual: Words = { rating: "pg-13", view: "recent", avatars: "G" };

function organizationAt(level: number, words = usual) {
  const sandbox = fresh({ level });
  useEverything(sandbox.state, level, words);
  return sandbox;
}

const exported = async (level: number, words?: Words) => {
  const { out, err } = await zulipctl(["org", "export"], { sandbox: organizationAt(level, words) });
  expect(err).toBe("");
  return out;
};

/** An older file has no folders. */
const matches = expect.stringMatching(/^\S+ matches the file\.( Not in the file: 1 folder\.)?\n$/);

const planned = async (text: string, level: number, words?: Words) =>
  zulipctl(["org", "plan", "file.yaml", "--exit-code", "--quiet"], {
    sandbox: organizationAt(level, words),
    files: new Map([["file.yaml", text]]),
  });

/** What a level has that the one before lacks. */
const newest = new Map([
  [442, ["settings: topics_policy", "channel announcements: can_create_topic_group"]],
  [
    500,
    ["settings: default_avatar_source", "settings: media_preview_size", "profile field Phone: use_for_user_matching"],
  ],
  [512, ["channel announcements: default_push_notifications"]],
]);

const pairs = levels.flatMap((from) => levels.map((to) => [from, to] as const));

describe("a file of one level", () => {
  test.each(pairs.filter(([from, to]) => from <= to))("%i matches the same organization at %i", async (from, to) => {
    const { code, out, err } = await planned(await exported(from), to);
    expect({ code, out, err }).toEqual({ code: 0, out: matches, err: "" });
  });

  test.each(pairs.filter(([from, to]) => from > to))("%i lists only what is missing at %i", async (from, to) => {
    const { code, out, err } = await planned(await exported(from), to);
    const rest = out
      .split("\n")
      .filter((line) => /^ *[-+~!✗]/.test(line) && !/requires feature level \d+; this server/.test(line));
    expect({ code, rest, refused: /✗/.test(err + out) }).toEqual({ code: 1, rest: [], refused: true });
    const missing = out.match(/(?<=✗ ).*(?= requires feature level)/g) ?? [];
    expect(missing).toEqual(expect.arrayContaining([...(newest.get(from) ?? [])]));
  });
});

test.each(ratings.map((rating, n) => [rating, ["inbox", "recent", "all_messages"][n % 3] ?? "", n % 2 ? "G" : "J"]))(
  "the GIF rating %s and the view %s are the same on every level",
  async (rating, view, avatars) => {
    const words = { rating, view, avatars } as Words;
    const files = await Promise.all(levels.map((level) => exported(level, words)));
    const found = files.map((text) => [parse(text).settings.gif_rating_policy, parse(text).new_users.web_home_view]);
    expect(found).toEqual(levels.map(() => [rating, view]));
    for (const to of [442, 500, 512]) expect((await planned(files[0] ?? "", to, words)).out).toEqual(matches);
  },
);

test.each(pairs.filter(([from, to]) => from < to))("a file of %i is applied at %i", async (from, to) => {
  const text = await exported(from);
  const sandbox = fresh({ level: to });
  const files = new Map([["file.yaml", text]]);
  const applied = await zulipctl(["org", "apply", "file.yaml", "--yes"], { sandbox, files });
  expect({ code: applied.code, err: applied.err }).toEqual({ code: 0, err: expect.not.stringContaining("refused") });
  const again = await zulipctl(["org", "plan", "file.yaml", "--exit-code"], { sandbox, files });
  expect(again.out).toEqual(matches);
});

test("older names and words stay in files, on every level", async () => {
  const text = "settings: { giphy_rating: pg }\nnew_users: { web_home_view: recent_topics }\n";
  for (const level of levels) {
    const sandbox = fresh({ level });
    const files = new Map([["file.yaml", text]]);
    const { code, err, sent } = await zulipctl(["org", "apply", "file.yaml", "--yes"], { sandbox, files });
    const changes = sent.filter(({ method }) => method === "PATCH").map(({ body }) => String(body));
    expect({ code, err, changes }).toEqual({
      code: 0,
      err: expect.any(String),
      changes: [
        level > 452 ? "gif_rating_policy=2" : level > 371 ? "giphy_rating=2" : "giphy_rating=3",
        level > 453 ? "web_home_view=recent" : "web_home_view=recent_topics",
      ],
    });
  }
});
