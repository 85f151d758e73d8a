/** Every noun by its name, in the order in which help shows them. Their code is loaded when a verb runs. */
import type { Command } from "commander";
import type { Plants } from "../shell/program.ts";
import type { Shell } from "../shell/shell.ts";
import { apns } from "./apns.ts";
import { attachment } from "./attachment.ts";
import { auth } from "./auth.ts";
import { batch } from "./batch.ts";
import { channel } from "./channel.ts";
import { complete } from "./complete.ts";
import { completion } from "./completion.ts";
import { drafts } from "./drafts.ts";
import { dataExport } from "./export.ts";
import { fetchKey } from "./fetch-key.ts";
import { folder } from "./folder.ts";
import { group } from "./group.ts";
import { linkifier } from "./linkifier.ts";
import { messages } from "./messages.ts";
import { profile } from "./profile.ts";
import { sandbox } from "./sandbox.ts";
import { server } from "./server.ts";
import { tour } from "./tour.ts";
import { users } from "./users.ts";

/** `every` makes the nouns themselves, for commands that run or know others. */
export type Noun = (program: Command, shell: Shell, every: () => Plants) => void;

export const nouns: Readonly<Record<string, Noun>> = {
  "fetch-key": fetchKey,
  auth,
  profile,
  channel,
  messages,
  folder,
  group,
  users,
  linkifier,
  drafts,
  attachment,
  export: dataExport,
  apns,
  batch,
  server,
  sandbox,
  tour,
  completion,
  __complete: complete,
};

/** Every command, with what it does in this shell. */
export const planted = (shell: Shell): Plants =>
  Object.fromEntries(
    Object.entries(nouns).map(([name, noun]) => [name, (root) => noun(root, shell, () => planted(shell))]),
  );
