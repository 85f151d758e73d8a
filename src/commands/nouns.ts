/** All nouns by name, in the order of help. Nouns are loaded on demand. */
import { addNoun, type Noun } from "../cli/noun.ts";
import type { Registry } from "../cli/registry.ts";
import type { Verb } from "../cli/verb.ts";
import type { Shell } from "../run/shell.ts";

export const nouns: Readonly<Record<string, () => Promise<Noun | Verb>>> = {
  "fetch-key": async () => (await import("./auth.ts")).fetchKey,
  auth: async () => (await import("./auth.ts")).auth,
  profile: async () => (await import("./profile.ts")).profile,
  channel: async () => (await import("./channel.ts")).channel,
  messages: async () => (await import("./messages.ts")).messages,
  topic: async () => (await import("./topic.ts")).topic,
  folder: async () => (await import("./folder.ts")).folder,
  group: async () => (await import("./group.ts")).group,
  users: async () => (await import("./users.ts")).users,
  "profile-field": async () => (await import("./profile-field.ts")).profileField,
  bots: async () => (await import("./bots.ts")).bots,
  invite: async () => (await import("./invite.ts")).invite,
  linkifier: async () => (await import("./linkifier.ts")).linkifier,
  playground: async () => (await import("./playground.ts")).playground,
  emoji: async () => (await import("./emoji.ts")).emoji,
  drafts: async () => (await import("./drafts.ts")).drafts,
  attachment: async () => (await import("./attachment.ts")).attachment,
  org: async () => (await import("./org.ts")).org,
  audit: async () => (await import("./audit.ts")).audit,
  watch: async () => (await import("./watch.ts")).watch,
  domain: async () => (await import("./domain.ts")).domain,
  permissions: async () => (await import("./permissions.ts")).permissions,
  export: async () => (await import("./export.ts")).dataExport,
  settings: async () => (await import("./settings.ts")).settings,
  apns: async () => (await import("./apns.ts")).apns,
  api: async () => (await import("./api.ts")).api,
  each: async () => (await import("./each.ts")).each,
  batch: async () => (await import("./batch.ts")).batch,
  undo: async () => (await import("./undo.ts")).undo,
  log: async () => (await import("./log.ts")).log,
  doctor: async () => (await import("./server.ts")).doctor,
  server: async () => (await import("./server.ts")).server,
  sandbox: async () => (await import("./sandbox.ts")).sandbox,
  tour: async () => (await import("./tour.ts")).tour,
  completion: async () => (await import("./completion.ts")).completion,
  whoami: async () => ({ ...(await import("./auth.ts")).auth.verbs.status, hidden: true }),
  login: async () => ({ ...(await import("./auth.ts")).auth.verbs.login, hidden: true }),
  __complete: async () => (await import("./completion.ts")).complete,
};

/** Returns all commands of this shell. */
export const registry = (shell: Shell): Registry =>
  Object.fromEntries(
    Object.entries(nouns).map(([name, load]) => [
      name,
      async (root) => addNoun(root, name, await load(), shell, registry),
    ]),
  );
