/** Pictures of accounts, and who sees the addresses that some of them come from. */
import { createHash } from "node:crypto";
import type { StoredUser } from "./state.ts";

/** The widest role that sees the real address, by the person's visibility setting. 4 is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** Returns whether the caller can see the real address. Visibility 4 hides it from everybody. */
export const canSeeAddress = (caller: StoredUser, { email_address_visibility }: StoredUser): boolean =>
  caller.role <= (widestRole[email_address_visibility] ?? 0);

const hashOf = (kind: "md5" | "sha1", text: string): string => createHash(kind).update(text).digest("hex");

/** Servers make Jdenticons themselves, so they are files like uploads. */
const fileOf = ({ user_id, avatar_source, avatar_version }: StoredUser, size: string): string =>
  avatar_source === "upload"
    ? `/user_avatars/2/${user_id}.png?version=${avatar_version}`
    : `/user_avatars/2/${hashOf("sha1", `${user_id} ${avatar_version}`)}${size}.png`;

const gravatarOf = ({ delivery_email, avatar_version }: StoredUser, size: string): string =>
  `https://secure.gravatar.com/avatar/${hashOf("md5", delivery_email.toLowerCase())}?d=identicon${size}&version=${avatar_version}`;

/** Null if the client computes the address of the picture. */
export function avatarUrl(user: StoredUser, clientGravatar: boolean): string | null {
  if (user.avatar_source !== "gravatar") return fileOf(user, "");
  return clientGravatar && user.email_address_visibility === 1 ? null : gravatarOf(user, "");
}

export const mediumAvatarUrl = (user: StoredUser): string =>
  user.avatar_source === "gravatar" ? gravatarOf(user, "&s=500") : fileOf(user, "-medium");

/** U uploaded, G Gravatar, J Jdenticon. */
export const avatarSource = ({ avatar_source }: StoredUser): string =>
  ({ upload: "U", gravatar: "G", jdenticon: "J" })[avatar_source];
