/** The table of findings, the most severe first. Data only, since help and completion load it. */
import { namesOf } from "../../common/object-members.ts";

export interface FindingKind {
  /** `info` is only shown on the page. */
  readonly severity: "high" | "medium" | "low" | "info";
  readonly title: string;
  /** Why it matters. */
  readonly note: string;
  /** `{}` stands for the target: its name, or what a permission allows. */
  readonly message: string;
}

export const findingKinds = {
  open_organization: {
    severity: "high",
    title: "Organization open to everybody",
    note: "Joining requires no invitation, and no e-mail address of certain domains.",
    message: "anybody can join {}: invite_required is off, and e-mail domains are not restricted",
  },
  inactive_administrator: {
    severity: "high",
    title: "Owners and administrators without activity for 90 days",
    note: "Nobody would notice if somebody else used their accounts.",
    message: "{} has been inactive for 90 days or more",
  },
  permanent_invitation_link: {
    severity: "high",
    title: "Invitation links that never expire",
    note: "Whoever finds such a link can join, at any time.",
    message: "{} never expires",
  },
  powerful_bot: {
    severity: "high",
    title: "Bots with more than a member's rights",
    note: "Whoever has their keys has these rights.",
    message: "{} has more than a member's rights",
  },
  channel_without_administrator: {
    severity: "high",
    title: "Channels that nobody can administer",
    note: "No active account may change their names, settings and permissions.",
    message: "nobody can administer {}",
  },
  web_public_channel: {
    severity: "medium",
    title: "Channels open to the web",
    note: "Anybody can read them without an account, as long as the organization lets visitors in.",
    message: "{} is open to the web",
  },
  web_public_creators: {
    severity: "medium",
    title: "Members who can create web-public channels",
    note: "They can show the organization's messages to everybody, without asking an administrator.",
    message: "members can {}",
  },
  guests_in_private_channel: {
    severity: "medium",
    title: "Private channels with guests",
    note: "Guests read everything that is sent there while they are subscribed.",
    message: "guests are subscribed to the private channel {}",
  },
  permission_reaches_guests: {
    severity: "medium",
    title: "Permissions that reach guests",
    note: "By default the server gives them to no guest.",
    message: "guests can {}",
  },
  permission_names_deactivated: {
    severity: "medium",
    title: "Permissions that name deactivated people",
    note: "They have the permission again when they are reactivated.",
    message: "a setting names deactivated people, who could {}",
  },
  left_to_deactivated: {
    severity: "medium",
    title: "Left to deactivated people",
    note: "The setting that says who manages them names no active account.",
    message: "the setting that says who manages {} names no active account",
  },
  closed_private_channel: {
    severity: "medium",
    title: "Private channels into which nobody can let anybody",
    note: "Nobody may both read them and subscribe others.",
    message: "nobody can subscribe others to the private channel {}",
  },
  unmanaged_group: {
    severity: "medium",
    title: "Nobody's groups",
    note: "Nobody may manage them.",
    message: "nobody can manage {}",
  },
  permission_reaches_members: {
    severity: "low",
    title: "Permissions that reach every member",
    note: "By default the server gives them to fewer.",
    message: "every member can {}",
  },
  nearly_empty_private_channel: {
    severity: "low",
    title: "Private channels with one subscriber, or none",
    note: "When the last one leaves, nobody is left who reads along.",
    message: "the private channel {} has one subscriber, or none",
  },
  channel_with_one_administrator: {
    severity: "low",
    title: "Channels that only one person can administer",
    note: "If that account is lost, nobody can change them.",
    message: "only one person can administer {}",
  },
  empty_group: {
    severity: "low",
    title: "Groups without members",
    note:
      "What they are given, nobody has; whoever may add members can hand it out. Deactivated members do not count: " +
      "they are back when they are reactivated.",
    message: "{} has no members",
  },
  unused_group: {
    severity: "info",
    title: "Groups in no setting",
    note: "Neither they nor a group that they are in is given anything; they are good for mentions.",
    message: "no setting names {}",
  },
  owner: {
    severity: "info",
    title: "Owners",
    note: "They may do everything that can be allowed.",
    message: "{} is an owner",
  },
  administrator: {
    severity: "info",
    title: "Administrators",
    note: "They manage people and settings, and see that private channels are there.",
    message: "{} is an administrator",
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingName = keyof typeof findingKinds;

export const allFindings = namesOf(findingKinds);

/** The kinds that `permissions findings` reports. */
export const findingNames = allFindings.filter((name) => findingKinds[name].severity !== "info");
