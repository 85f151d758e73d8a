/**
 * All kinds of things, in the order in which organization files list them. A new kind is a file beside this one and a
 * line here; the compiler names the other places that must say something about it.
 */
import { namesOf } from "../../common/object-members.ts";
import { attachmentKind } from "./attachment.ts";
import { channelKind } from "./channel.ts";
import { domainKind } from "./domain.ts";
import { draftKind } from "./draft.ts";
import { emojiKind } from "./emoji.ts";
import { exportKind } from "./export.ts";
import { folderKind } from "./folder.ts";
import { groupKind } from "./group.ts";
import { invitationKind } from "./invitation.ts";
import type { Kind } from "./kind.ts";
import { linkifierKind } from "./linkifier.ts";
import { playgroundKind } from "./playground.ts";
import { profileFieldKind } from "./profile-field.ts";
import { botKind, userKind } from "./user.ts";

/** By the name that records of `watch`, logs and JSON have. */
export const kinds = {
  profile_field: profileFieldKind,
  user: userKind,
  bot: botKind,
  group: groupKind,
  folder: folderKind,
  channel: channelKind,
  linkifier: linkifierKind,
  domain: domainKind,
  playground: playgroundKind,
  emoji: emojiKind,
  invitation: invitationKind,
  draft: draftKind,
  attachment: attachmentKind,
  export: exportKind,
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

const stated: Readonly<Record<KindName, Kind>> = kinds;

/** Returns what is stated of a kind, in the form that all kinds have. */
export const kindNamed = (name: KindName): Kind => stated[name];

export const kindNames = namesOf(stated);

type WithoutTable = { readonly recordOf: string } | { readonly personal: true };

/** Kinds whose changes events tell. Bots are among users there. */
export type WatchedKind = {
  [K in KindName]: (typeof kinds)[K] extends WithoutTable ? never : K;
}[KindName];

const isWatched = (name: KindName): name is WatchedKind =>
  stated[name].recordOf === undefined && stated[name].personal === undefined;

export const watchedKinds = kindNames.filter(isWatched);

/** All kinds, with their names. */
export const everyKind: readonly (readonly [name: KindName, kind: Kind])[] = kindNames.map((name) => [
  name,
  stated[name],
]);
