/** By operation, the reads that return all things of a kind: what completion knows names of. No schemas: every run loads it. */
export const nameLists = {
  "channel.list": { kind: "channel", list: "streams" },
  "group.list": { kind: "group", list: "user_groups" },
  "folder.list": { kind: "folder", list: "channel_folders" },
  "users.list": { kind: "user", list: "members" },
  "linkifier.list": { kind: "linkifier", list: "linkifiers" },
  "drafts.list": { kind: "draft", list: "drafts" },
  "export.list": { kind: "export", list: "exports" },
  "attachment.list": { kind: "attachment", list: "attachments" },
  "invite.list": { kind: "invitation", list: "invites" },
  "emoji.list": { kind: "emoji", list: "emoji" },
  "domain.list": { kind: "domain", list: "domains" },
  // Playgrounds have no read of their own.
  "events.register": { kind: "playground", list: "realm_playgrounds" },
  "profile-field.list": { kind: "profile field", list: "custom_fields" },
} as const;
