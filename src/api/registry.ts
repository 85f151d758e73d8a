/** All operations by name, for code that learns the name at run time. */
import type { AnyOperation } from "../wire/operation.ts";
import * as attachments from "./attachments.ts";
import * as channels from "./channels.ts";
import * as domains from "./domains.ts";
import * as drafts from "./drafts.ts";
import * as emoji from "./emoji.ts";
import * as events from "./events.ts";
import * as exports from "./exports.ts";
import * as folders from "./folders.ts";
import * as groups from "./groups.ts";
import * as invitations from "./invitations.ts";
import * as linkifiers from "./linkifiers.ts";
import * as messages from "./messages.ts";
import * as organization from "./organization.ts";
import * as people from "./people.ts";
import * as playgrounds from "./playgrounds.ts";
import * as profileFields from "./profile-fields.ts";
import * as push from "./push.ts";
import * as server from "./server.ts";
import * as subscriptions from "./subscriptions.ts";
import * as topics from "./topics.ts";
import * as userSettings from "./user-settings.ts";
import * as users from "./users.ts";

const modules: readonly object[] = [
  attachments,
  channels,
  domains,
  drafts,
  emoji,
  events,
  exports,
  folders,
  groups,
  invitations,
  linkifiers,
  messages,
  organization,
  people,
  playgrounds,
  profileFields,
  push,
  server,
  subscriptions,
  topics,
  userSettings,
  users,
];

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "params" in value;

const byName = new Map(
  modules
    .flatMap((module) => Object.values(module).filter(isOperation))
    .map((operation) => [operation.name, operation]),
);

export const operationNamed = (name: string): AnyOperation | undefined => byName.get(name);

export const operations = (): AnyOperation[] => [...byName.values()];
