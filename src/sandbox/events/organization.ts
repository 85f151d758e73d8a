/** What is told of the organization's settings and collections, and of what belongs to one account alone. */
import type { Domain, OrganizationPermission } from "../organization-state.ts";
import {
  attachmentRecord,
  draftRecord,
  emojiRecord,
  exportRecord,
  fieldRecord,
  folderRecord,
  linkifierRecord,
  playgroundRecord,
} from "../records/small.ts";
import type { Visit } from "../router.ts";
import type { Attachment, Draft, Folder, User } from "../state.ts";
import { administrators, everybody } from "./audience.ts";
import { type Event, send } from "./queue.ts";

const tell = (visit: Visit, event: Event): void => send(visit, event, everybody(visit.state));

/** Settings that are told as a dictionary, as all permissions are. */
const inDictionary = new Set(["allow_message_editing", "message_content_edit_limit_seconds", "authentication_methods"]);

export function settingChanged(visit: Visit, property: string, value: unknown): void {
  if (property === "topics_policy") {
    settingsChanged(visit, { topics_policy: value, mandatory_topics: value === "disable_empty_topic" });
  } else if (inDictionary.has(property)) settingsChanged(visit, { [property]: value });
  else tell(visit, { type: "realm", op: "update", property, value });
}

export const settingsChanged = (visit: Visit, data: object): void =>
  tell(visit, { type: "realm", op: "update_dict", property: "default", data });

export const permissionChanged = (visit: Visit, name: OrganizationPermission, value: unknown): void =>
  settingsChanged(visit, { [name]: value });

export const defaultSettingChanged = (visit: Visit, property: string, value: unknown): void =>
  tell(visit, { type: "realm_user_settings_defaults", op: "update", property, value });

export const linkifiersChanged = (visit: Visit): void =>
  tell(visit, {
    type: "realm_linkifiers",
    realm_linkifiers: visit.state.linkifiers.map((each) => linkifierRecord(visit, each)),
  });

export const fieldsChanged = (visit: Visit): void =>
  tell(visit, {
    type: "custom_profile_fields",
    fields: visit.state.profile_fields.map((field) => fieldRecord(visit, field)),
  });

export const playgroundsChanged = (visit: Visit): void =>
  tell(visit, { type: "realm_playgrounds", realm_playgrounds: visit.state.playgrounds.map(playgroundRecord) });

export const emojiChanged = (visit: Visit): void => {
  const realm_emoji = Object.fromEntries(visit.state.emoji.map((each) => [each.id, emojiRecord(each)]));
  tell(visit, { type: "realm_emoji", op: "update", realm_emoji });
};

const shown = ({ domain, allow_subdomains }: Domain) => ({ domain, allow_subdomains });
export const domainAdded = (visit: Visit, domain: Domain): void =>
  tell(visit, { type: "realm_domains", op: "add", realm_domain: shown(domain) });
export const domainChanged = (visit: Visit, domain: Domain): void =>
  tell(visit, { type: "realm_domains", op: "change", realm_domain: shown(domain) });
export const domainRemoved = (visit: Visit, { domain }: Domain): void =>
  tell(visit, { type: "realm_domains", op: "remove", domain });

export const invitationsChanged = (visit: Visit, inviter: User | undefined): void => {
  const to = new Set(administrators(visit.state));
  if (inviter) to.add(inviter);
  send(visit, { type: "invites_changed" }, to);
};

export const exportsChanged = (visit: Visit): void => {
  const exports = [...visit.state.exports.values()].map((each) => exportRecord(visit, each));
  send(visit, { type: "realm_export", exports }, administrators(visit.state));
};

export const folderAdded = (visit: Visit, folder: Folder): void =>
  tell(visit, { type: "channel_folder", op: "add", channel_folder: folderRecord(visit, folder) });
export const folderChanged = (visit: Visit, { id: channel_folder_id }: Folder, data: object): void =>
  tell(visit, { type: "channel_folder", op: "update", channel_folder_id, data });
export const foldersReordered = (visit: Visit, order: readonly number[]): void => {
  if (visit.level >= 418) tell(visit, { type: "channel_folder", op: "reorder", order });
};

export const draftsAdded = (visit: Visit, owner: User, drafts: readonly Draft[]): void =>
  send(visit, { type: "drafts", op: "add", drafts: drafts.map(draftRecord) }, [owner]);
export const draftChanged = (visit: Visit, owner: User, draft: Draft): void =>
  send(visit, { type: "drafts", op: "update", draft: draftRecord(draft) }, [owner]);
export const draftRemoved = (visit: Visit, owner: User, draft_id: number): void =>
  send(visit, { type: "drafts", op: "remove", draft_id }, [owner]);

export const attachmentAdded = (visit: Visit, owner: User, attachment: Attachment): void => {
  const upload_space_used = visit.state.organization.upload_bytes;
  send(visit, { type: "attachment", op: "add", attachment: attachmentRecord(visit, attachment), upload_space_used }, [
    owner,
  ]);
};
export const attachmentRemoved = (visit: Visit, owner: User, id: number): void => {
  const upload_space_used = visit.state.organization.upload_bytes;
  send(visit, { type: "attachment", op: "remove", attachment: { id }, upload_space_used }, [owner]);
};

export const messagesDeleted = (visit: Visit, message_ids: readonly number[], stream_id: number, topic: string): void =>
  send(
    visit,
    (_, { capabilities }) =>
      capabilities.has("bulk_message_deletion")
        ? { type: "delete_message", message_type: "stream", message_ids, stream_id, topic }
        : undefined,
    everybody(visit.state),
  );
