/** A server that is newer than this program: the sandbox, with what no version knows yet. */
import type { HttpRequest, HttpResponse } from "../src/world/world.ts";
import { fresh } from "./run.ts";

type Fields = Record<string, unknown>;

const permission = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: true,
  default_group_name: "role:members",
  default_for_system_groups: null,
  allowed_system_groups: [],
};

export interface NewerOptions {
  /** Parameters that it ignores. */
  readonly ignores?: readonly string[];
  /** Further services for calls. */
  readonly providers?: Fields;
}

export function newerServer({ ignores = [], providers = {} }: NewerOptions = {}) {
  const sandbox = fresh({ level: 530 });
  const groupId = (name: string) => [...sandbox.state.groups.values()].find((group) => group.name === name)?.id;
  /** The settings that only this server has. */
  const settings: Fields = {
    something_new: false,
    newest_number: 3,
    newest_text: "old",
    newest_list: [1],
    newest_nothing: null,
    can_do_new_things_group: groupId("role:members"),
    something_permitted: groupId("role:moderators"),
  };
  /** By channel and by group, the value of the new permission. */
  const channels = new Map<number, unknown>();
  const groups = new Map<number, unknown>();
  const valueIn = (values: Map<number, unknown>, id: unknown) => values.get(Number(id)) ?? groupId("role:members");

  /** Adds members to every record. */
  function withMore(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withMore);
    if (typeof value !== "object" || value === null) return value;
    const record: Fields = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withMore(each)]));
    if ("stream_id" in record && "name" in record)
      Object.assign(record, { can_do_new_things_group: valueIn(channels, record.stream_id), channel_news: "n" });
    if ("direct_subgroup_ids" in record && "name" in record)
      Object.assign(record, { can_do_new_things_group: valueIn(groups, record.id), group_news: "n" });
    if ("full_name" in record) record.person_news = "n";
    if ("url_template" in record) record.linkifier_news = "n";
    return record;
  }

  function registered(answer: Fields): Fields {
    const { server_supported_permission_settings: all, realm_name } = answer;
    if (realm_name === undefined) return answer;
    const { realm, stream, group }: Fields = Object(all);
    return {
      ...answer,
      realm_available_video_chat_providers: { ...Object(answer.realm_available_video_chat_providers), ...providers },
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`realm_${name}`, value])),
      server_supported_permission_settings: {
        realm: { ...Object(realm), can_do_new_things_group: permission, something_permitted: permission },
        stream: { ...Object(stream), can_do_new_things_group: permission },
        group: { ...Object(group), can_do_new_things_group: permission },
      },
    };
  }

  const newOf = (text: string): unknown => Object(JSON.parse(text)).new ?? JSON.parse(text);

  /** Takes the new parameters out of a change. Returns its body without them, and those that are ignored. */
  function take({ method, url, body }: HttpRequest): { body: string; ignored: string[] } {
    const form = new URLSearchParams(typeof body === "string" ? body : "");
    const ignored: string[] = [];
    const [, kind, id] = /\/(streams|user_groups)\/(\d+)$/.exec(url) ?? [];
    if (method === "PATCH")
      for (const [name, text] of [...form]) {
        const isNew = url.endsWith("/realm")
          ? Object.hasOwn(settings, name)
          : kind && name === "can_do_new_things_group";
        if (!isNew) continue;
        form.delete(name);
        if (ignores.includes(name)) ignored.push(name);
        else if (kind === "streams") channels.set(Number(id), newOf(text));
        else if (kind) groups.set(Number(id), newOf(text));
        else settings[name] = typeof settings[name] === "string" ? text : newOf(text);
      }
    return { body: form.toString(), ignored };
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const { body, ignored } = take(request);
    // The sandbox refuses some changes without parameters.
    const url = body || !request.body ? request.url : request.url.replace(/\/(streams|user_groups)\/\d+$/, "/realm");
    const response = await sandbox.handle(typeof request.body === "string" ? { ...request, url, body } : request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const whole = Object(withMore(request.url.includes("/register") ? registered(Object(answer)) : answer));
    const more = ignored.length ? { ignored_parameters_unsupported: ignored } : {};
    const bytes = new TextEncoder().encode(JSON.stringify({ ...whole, ...more }));
    return {
      ...response,
      headers: { ...response.headers, "content-length": String(bytes.length) },
      body: (async function* () {
        yield bytes;
      })(),
    };
  }
  return { sandbox, handle, settings, channels, groups, groupId };
}
