/** The organization that the killed runs change, and rows that change it. */
import type { Chance } from "../simulation/chance.ts";

/** The number of people. */
const people = 40;
const names = Array.from({ length: people }, (_, n) => `u${n}`);
/** The number of members of the second group, who are removed. */
const leaving = 6;

/** Returns the input of `sandbox start --world`: a channel and two groups for each file of rows. */
export const organizationFor = (files: number) => {
  const each = Array.from({ length: files }, (_, n) => n);
  return {
    users: names.map((key, n) => ({
      key,
      full_name: `Person ${n}`,
      email: `${key}@chat.example`,
      role: n === 0 ? 100 : 400,
    })),
    channels: each.map((n) => ({ name: `channel ${n}`, subscribers: ["u0"], creator: "u0" })),
    groups: each.flatMap((n) => [
      { name: `first ${n}`, creator: "u0" },
      { name: `second ${n}`, members: names.slice(0, leaving), creator: "u0" },
    ]),
  };
};

/** The output of `sandbox start --json`. */
export interface Started {
  site: string;
  users: { user_id: number; email: string; role: number; api_key: string }[];
  channels: { stream_id: number; name: string }[];
  groups: { id: number; name: string }[];
}

export interface DesiredRow {
  /** The row of the file, of the `lines` format. */
  line: string;
  /** Identifies the change in requests and in the organization. */
  thing: string;
  /** Requests for one target keep their order. */
  target: string;
  isMembership: boolean;
  isPossible: boolean;
}

/** Returns the rows of the `n`th file, shuffled. */
export function rowsOf(n: number, { users, channels, groups }: Started, chance: Chance): DesiredRow[] {
  const found = <T extends { name: string }>(all: readonly T[], name: string) =>
    all.find((each) => each.name === name)!;
  const { stream_id } = found(channels, `channel ${n}`);
  const [first, second] = ["first", "second"].map((name) => found(groups, `${name} ${n}`).id) as [number, number];
  const ids = users.map(({ user_id }) => user_id);
  const nobody = 999_999;
  const rows: DesiredRow[] = [];
  for (const id of [...ids.slice(0, 16), nobody])
    rows.push({
      line: `group members 'first ${n}' --add ${id}`,
      thing: `${first} + ${id}`,
      target: String(first),
      isMembership: true,
      isPossible: id !== nobody,
    });
  for (const id of ids.slice(0, leaving))
    rows.push({
      line: `group members ${second} --delete ${id}`,
      thing: `${second} - ${id}`,
      target: String(second),
      isMembership: true,
      isPossible: true,
    });
  for (let k = 0; k < 8; k++) {
    const content = `draft ${n}.${k}`;
    const line = `drafts add --content '${content}'${k === 5 ? " --channel 999999 --topic t" : ""}`;
    rows.push({ line, thing: content, target: "drafts", isMembership: false, isPossible: k !== 5 });
  }
  for (let k = 0; k < 5; k++) {
    const name = `folder ${n}.${k}${k === 4 ? "x".repeat(60) : ""}`;
    rows.push({ line: `folder create '${name}'`, thing: name, target: name, isMembership: false, isPossible: k !== 4 });
  }
  for (let k = 0; k < 6; k++) {
    const description = `description ${n}.${k}`;
    rows.push({
      line: `channel update 'channel ${n}' --description '${description}'`,
      thing: description,
      target: `channel ${stream_id}`,
      isMembership: false,
      isPossible: true,
    });
  }
  for (let at = rows.length - 1; at > 0; at--) {
    const other = chance.whole(0, at);
    [rows[at], rows[other]] = [rows[other]!, rows[at]!];
  }
  return rows;
}

/** Returns the things that a request changes. */
export function thingsOf({ path, body }: { path: string; body: string }): string[] {
  const form = new URLSearchParams(body);
  const list = (name: string): unknown[] => JSON.parse(form.get(name) ?? "[]");
  const group = /user_groups\/(\d+)\/members/.exec(path)?.[1];
  if (group) return [...list("add").map((id) => `${group} + ${id}`), ...list("delete").map((id) => `${group} - ${id}`)];
  if (path.endsWith("/channel_folders/create")) return [form.get("name")!];
  if (path.endsWith("/drafts")) return (list("drafts") as { content: string }[]).map(({ content }) => content);
  return [form.get("description")!];
}

/** Reads the things of all files from the server. Duplicates are listed each time. */
export async function thingsThere({ site, users, channels, groups }: Started): Promise<string[]> {
  const { email, api_key } = users.find(({ role }) => role === 100)!;
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}` };
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${site}/api/v1${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const found: string[] = [];
  for (const { id, name } of groups) {
    if (!/^(first|second) \d/.test(name)) continue;
    const path = `/user_groups/${id}/members?direct_member_only=true`;
    const { members } = await read<{ members: number[] }>(path);
    if (name.startsWith("first")) found.push(...members.map((member) => `${id} + ${member}`));
    else
      found.push(
        ...users.filter(({ user_id }) => !members.includes(user_id)).map(({ user_id }) => `${id} - ${user_id}`),
      );
  }
  const { drafts } = await read<{ drafts: { content: string }[] }>("/drafts");
  const { channel_folders } = await read<{ channel_folders: { name: string }[] }>("/channel_folders");
  const { streams } = await read<{ streams: { stream_id: number; description: string }[] }>("/streams");
  const own = streams.filter(({ stream_id }) => channels.some((channel) => channel.stream_id === stream_id));
  return [
    ...found,
    ...drafts.map(({ content }) => content),
    ...channel_folders.map(({ name }) => name),
    ...own.map(({ description }) => description),
  ];
}
