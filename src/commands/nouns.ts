/** All nouns by name, in the order of help. Nouns are loaded on demand. */
import { addNoun, type Noun } from "../cli/noun.ts";
import type { Registry } from "../cli/registry.ts";
import type { Verb } from "../cli/verb.ts";
import type { KindName, kinds } from "../model/kinds/index.ts";
import type { Shell } from "../run/shell.ts";

type Load = () => Promise<Noun | Verb>;
type NounOfKind = (typeof kinds)[KindName]["noun"];

export const nouns: Readonly<Record<NounOfKind, Load> & Record<string, Load>> = {
  "fetch-key": async () => (await import("./auth.ts")).fetchKeyVerb,
  auth: async () => (await import("./auth.ts")).authNoun,
  profile: async () => (await import("./profile.ts")).profileNoun,
  channel: async () => (await import("./channel.ts")).channelNoun,
  messages: async () => (await import("./messages.ts")).messagesNoun,
  topic: async () => (await import("./topic.ts")).topicNoun,
  folder: async () => (await import("./folder.ts")).folderNoun,
  group: async () => (await import("./group.ts")).groupNoun,
  users: async () => (await import("./users.ts")).usersNoun,
  "profile-field": async () => (await import("./profile-field.ts")).profileFieldNoun,
  bots: async () => (await import("./bots.ts")).botsNoun,
  invite: async () => (await import("./invite.ts")).inviteNoun,
  linkifier: async () => (await import("./linkifier.ts")).linkifierNoun,
  playground: async () => (await import("./playground.ts")).playgroundNoun,
  emoji: async () => (await import("./emoji.ts")).emojiNoun,
  drafts: async () => (await import("./drafts.ts")).draftsNoun,
  attachment: async () => (await import("./attachment.ts")).attachmentNoun,
  org: async () => (await import("./org.ts")).orgNoun,
  audit: async () => (await import("./audit.ts")).auditNoun,
  watch: async () => (await import("./watch.ts")).watchVerb,
  domain: async () => (await import("./domain.ts")).domainNoun,
  permissions: async () => (await import("./permissions.ts")).permissionsNoun,
  export: async () => (await import("./export.ts")).exportNoun,
  settings: async () => (await import("./settings.ts")).settingsNoun,
  apns: async () => (await import("./apns.ts")).apnsNoun,
  api: async () => (await import("./api.ts")).apiNoun,
  each: async () => (await import("./each.ts")).eachVerb,
  batch: async () => (await import("./batch.ts")).batchNoun,
  undo: async () => (await import("./undo.ts")).undoNoun,
  log: async () => (await import("./log.ts")).logNoun,
  doctor: async () => (await import("./server.ts")).doctorVerb,
  server: async () => (await import("./server.ts")).serverNoun,
  sandbox: async () => (await import("./sandbox.ts")).sandboxNoun,
  tour: async () => (await import("./tour.ts")).tourVerb,
  completion: async () => (await import("./completion.ts")).completionNoun,
  whoami: async () => ({ ...(await import("./auth.ts")).authNoun.verbs.status, hidden: true }),
  login: async () => ({ ...(await import("./auth.ts")).authNoun.verbs.login, hidden: true }),
  __complete: async () => (await import("./completion.ts")).completeVerb,
};

/** Returns all commands of this shell. */
export const registry = (shell: Shell): Registry =>
  Object.fromEntries(
    Object.entries(nouns).map(([name, load]) => [
      name,
      async (root) => addNoun(root, name, await load(), shell, registry),
    ]),
  );
