/** What is deleted with an account. */
import type { deactivateUser } from "../../api/people.ts";
import { oneOrMore } from "../../cli/value-parameters.ts";
import { Usage } from "../../errors.ts";
import type { ArgsOf } from "../../wire/operation.ts";

type Actions = NonNullable<ArgsOf<typeof deactivateUser>["actions"]>;

const phrases = {
  profile: "profile",
  "public-messages": "messages in public channels",
  "private-messages": "messages in private channels",
  "direct-messages": "direct messages",
} as const;

const words = ["profile", "public-messages", "private-messages", "direct-messages"] as const;
export type Deletion = (typeof words)[number];

/** The level counts, so it is bound to the parameter. */
export const deletionBinds = { delete: "actions" } as const;

export const deletionFlag = oneOrMore(
  words,
  `${words.join(", ")}: delete these of the people and of their bots; they cannot be restored`,
  "what",
);

/** Returns the failure for an account whose profile and messages cannot be deleted any more. */
export const deactivatedAlready = (name: string, id: number): Usage =>
  new Usage(`--delete: ${name} is deactivated already, and servers delete only with the deactivation`, {
    hint: `Reactivate the account first with: zulipctl users reactivate ${id}`,
  });

/** All four are sent: what a server does without one is not documented. */
export const deletionArguments = (all: readonly Deletion[]): Actions => ({
  delete_profile: all.includes("profile"),
  delete_public_channel_messages: all.includes("public-messages"),
  delete_private_channel_messages: all.includes("private-messages"),
  delete_direct_messages: all.includes("direct-messages"),
});

/** From this level on, servers mark the account as deleted and take its address away. */
const marksDeleted = 490;

/** Says what becomes of an account without its profile. Undefined if the profile is not deleted. */
export function profileDeletion(all: readonly Deletion[], level: number): string | undefined {
  if (!all.includes("profile")) return undefined;
  return level < marksDeleted
    ? `below feature level ${marksDeleted}, the account keeps its address and can be reactivated as "Deleted user"`
    : "the account loses its address and cannot be reactivated";
}

/** `profile, direct messages` */
export const deletionText = (all: readonly Deletion[]): string =>
  words
    .filter((word) => all.includes(word))
    .map((word) => phrases[word])
    .join(", ");
