/** Every command that changes something, and how the sandbox's state shows how much of it was done. */
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { State } from "../../src/sandbox/state.ts";
import { fresh, person } from "../run.ts";

export interface Changing {
  name: string;
  operation: string;
  argv: string[];
  input?: string;
  /** How many changes the command makes, each a request of its own. */
  of: number;
  /** How many of them the state shows as made, compared with a state as it was. */
  made(state: State, before: State): number;
  /** A parameter that a server might ignore: how the command then ends and how much is made. */
  ignoring?: { param: string; code: number; made: number };
  /** What the request carries, in the server's order, where a refusal may leave a part of it in force. */
  parts?: string[];
}

const grown = (kind: "folders" | "drafts" | "linkifiers" | "exports") => (state: State, before: State) =>
  [...state[kind]].length - [...before[kind]].length;
const once = (made: boolean) => (made ? 1 : 0);

/** Of the owner's. */
export const attachments = (sandbox: Sandbox): number[] => {
  const owner = person(sandbox, 100).user_id;
  return sandbox
    .line()
    .attachments.filter(({ owner_id }) => owner_id === owner)
    .map(({ id }) => id);
};

/** A fresh sandbox in which the owner has three files. */
export function furnished(options: Parameters<typeof fresh>[0] = {}): Sandbox {
  const sandbox = fresh(options);
  const { attachments: all } = sandbox.state;
  const last = [...all.values()].at(-1)!;
  const owner_id = person(sandbox, 100).user_id;
  for (let id = last.id + 1; attachments(sandbox).length < 3; id++) all.set(id, { ...last, id, owner_id });
  return sandbox;
}

export function changes(sandbox: Sandbox): Changing[] {
  const { channels, groups, users } = sandbox.line();
  const channel = channels.find(({ is_archived }) => !is_archived)!.stream_id;
  const group = groups.find(({ is_system_group }) => !is_system_group)!;
  const [one, two] = users.filter(
    ({ user_id, is_active, is_bot }) => is_active && !is_bot && !group.members.includes(user_id),
  );
  const files = attachments(sandbox);
  const token = "ab".repeat(32);
  return [
    {
      name: "channel update, one parameter",
      operation: "channel.update",
      argv: ["channel", "update", String(channel), "--description", "changed"],
      of: 1,
      made: (state) => once(state.channels.get(channel)!.description === "changed"),
      ignoring: { param: "description", code: 5, made: 0 },
    },
    {
      name: "channel update, several parameters",
      operation: "channel.update",
      argv: ["channel", "update", String(channel), "--new-name", "renamed", "--description", "changed"],
      of: 1,
      made: (state) => {
        const { name, description } = state.channels.get(channel)!;
        return once(name === "renamed" && description === "changed");
      },
      ignoring: { param: "new_name+description", code: 5, made: 0 },
      parts: ["description", "new_name"],
    },
    {
      name: "folder create",
      operation: "folder.create",
      argv: ["folder", "create", "Fault lines", "--description", "d"],
      of: 1,
      made: grown("folders"),
      ignoring: { param: "name", code: 1, made: 0 },
    },
    {
      name: "folder update",
      operation: "folder.update",
      argv: ["folder", "update", "1", "--new-name", "Fault lines", "--description", "d"],
      of: 1,
      made: (state) => {
        const { name, description } = state.folders.get(1)!;
        return once(name === "Fault lines" && description === "d");
      },
      ignoring: { param: "name+description", code: 5, made: 0 },
      parts: ["name", "description"],
    },
    {
      name: "drafts add, one",
      operation: "drafts.add",
      argv: ["drafts", "add", "--content", "a draft"],
      of: 1,
      made: grown("drafts"),
      ignoring: { param: "drafts", code: 1, made: 0 },
    },
    {
      name: "drafts add, many",
      operation: "drafts.add",
      argv: ["drafts", "add", "--from", "-"],
      input: JSON.stringify([1, 2, 3].map((n) => ({ type: "", to: [], topic: "", content: `draft ${n}` }))),
      of: 1,
      made: (state, before) => grown("drafts")(state, before) / 3,
    },
    {
      name: "apns register",
      operation: "apns.register",
      argv: ["apns", "register", "--token", token, "--appid", "org.zulip.Zulip"],
      of: 1,
      made: (state) => once([...state.users.values()].some(({ push_tokens }) => push_tokens.has(token))),
      ignoring: { param: "appid", code: 1, made: 0 },
    },
    {
      name: "group members",
      operation: "group.members",
      argv: ["group", "members", String(group.id), "--add", `${one!.user_id},${two!.user_id}`],
      of: 1,
      made: (state) => {
        const { members } = state.groups.get(group.id)!;
        return (once(members.has(one!.user_id)) + once(members.has(two!.user_id))) / 2;
      },
      ignoring: { param: "add", code: 1, made: 0 },
    },
    {
      name: "linkifier add",
      operation: "linkifier.add",
      argv: ["linkifier", "add", "FAULT-(?P<id>[0-9]+)", "https://example.com/{id}"],
      of: 1,
      made: grown("linkifiers"),
      ignoring: { param: "pattern", code: 1, made: 0 },
    },
    {
      name: "attachment rm, one",
      operation: "attachment.rm",
      argv: ["attachment", "rm", String(files[0]), "--yes"],
      of: 1,
      made: (state, before) => before.attachments.size - state.attachments.size,
    },
    {
      name: "attachment rm, several",
      operation: "attachment.rm",
      argv: ["attachment", "rm", ...files.slice(0, 3).map(String), "--yes"],
      of: 3,
      made: (state, before) => before.attachments.size - state.attachments.size,
    },
    {
      name: "export create",
      operation: "export.create",
      argv: ["export", "create"],
      of: 1,
      made: grown("exports"),
    },
    {
      name: "export create of private data",
      operation: "export.create",
      argv: ["export", "create", "--type", "standard", "--yes"],
      of: 1,
      made: grown("exports"),
      // The export is made, and is another one than was asked for.
      ignoring: { param: "export_type", code: 5, made: 1 },
    },
  ];
}
