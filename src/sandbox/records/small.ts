/** Folders, drafts, linkifiers, uploads, exports and the organization's small collections as they are shown everywhere. */
import type { Emoji, Invitation, Playground, ProfileField } from "../organization-state.ts";
import type { Visit } from "../router.ts";
import type { Attachment, DataExport, Draft, Folder, Linkifier } from "../state.ts";
import { rendered } from "./channels.ts";
import { since } from "./since.ts";

export const folderRecord = ({ state, level }: Visit, folder: Folder): object => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: rendered(state, folder.description),
  date_created: Math.floor(folder.date_created / 1000),
  creator_id: folder.creator_id,
  is_archived: folder.is_archived,
  ...since(level, 414, { order: folder.order }),
});

export const draftRecord = ({ id, type, to, topic, content, timestamp }: Draft): object => ({
  id,
  type,
  to,
  topic,
  content,
  timestamp: Math.floor(timestamp),
});

export const linkifierRecord = ({ level }: Visit, linkifier: Linkifier): object => {
  const { id, pattern, url_template, example_input, reverse_template, alternative_url_templates } = linkifier;
  return {
    pattern,
    url_template,
    id,
    ...since(level, 471, { example_input, reverse_template }),
    ...since(level, 478, { alternative_url_templates }),
  };
};

export function attachmentRecord(
  { state, level }: Visit,
  { id, name, path_id, size, create_time, message_ids }: Attachment,
): object {
  // Times were milliseconds before this level and are seconds from it on.
  const time = (ms: number) => (level < 443 ? ms : Math.floor(ms / 1000));
  const messages = message_ids.flatMap((message) => state.messages.get(message) ?? []);
  return {
    id,
    name,
    path_id,
    size,
    create_time: time(create_time),
    ...(level < 472
      ? { messages: messages.map(({ id, date_sent }) => ({ id, date_sent: time(date_sent) })) }
      : { message_ids: messages.map(({ id }) => id) }),
  };
}

export const exportTypes = ["public", "full_with_consent", "full_without_consent"] as const;

/** Below the organization's address. */
export const exportPath = ({ id, secret }: DataExport): string =>
  `/user_avatars/exports/2/${secret}/zulip-export-${id}.tar.gz`;

export function exportRecord({ level, now, site }: Visit, each: DataExport): object {
  const pending = now < each.ready_time;
  const { deleted_time } = each;
  return {
    id: each.id,
    acting_user_id: each.acting_user_id,
    export_time: each.export_time / 1000,
    export_url: pending || deleted_time !== null ? null : `${site}${exportPath(each)}`,
    deleted_timestamp: deleted_time === null ? null : deleted_time / 1000,
    failed_timestamp: null,
    pending,
    ...since(level, 304, { export_type: level < 449 ? each.export_type : exportTypes[each.export_type - 1] }),
    ...since(level, 506, { export_from_prior_server: false }),
  };
}

export const fieldRecord = ({ level }: Visit, field: ProfileField): object => ({
  id: field.id,
  name: field.name,
  type: field.type,
  hint: field.hint,
  field_data: field.field_data,
  order: field.order,
  ...since(level, 244, { required: field.required }),
  ...since(level, 296, { editable_by_user: field.editable_by_user }),
  ...since(level, 455, { use_for_user_matching: false }),
  // There only where it is true.
  ...(field.display_in_profile_summary ? since(level, 146, { display_in_profile_summary: true }) : {}),
});

export const playgroundRecord = ({ id, name, pygments_language, url_template }: Playground): object => ({
  id,
  name,
  pygments_language,
  url_template,
});

export const emojiRecord = ({ id, name, author_id, deactivated }: Emoji): object => ({
  id: String(id),
  name,
  source_url: `/user_avatars/2/emoji/images/${id}.png`,
  deactivated,
  author_id,
  still_url: null,
});

export const invitationRecord = ({ site, level }: Visit, invitation: Invitation): object => ({
  id: invitation.id,
  ...since(level, 22, { invited_by_user_id: invitation.invited_by_user_id }),
  invited: Math.floor(invitation.invited / 1000),
  ...since(level, 117, {
    expiry_date: invitation.expiry_date === null ? null : Math.floor(invitation.expiry_date / 1000),
  }),
  invited_as: invitation.invited_as,
  is_multiuse: invitation.email === null,
  ...(invitation.email === null
    ? { link_url: `${site}/join/${invitation.key}/` }
    : {
        email: invitation.email,
        ...since(level, 267, { notify_referrer_on_join: invitation.notify_referrer_on_join }),
      }),
});
