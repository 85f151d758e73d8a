/** The greatest id of each kind of thing that can be given another name: what has a greater one was made since. */
import { channelsOf, type Snapshot } from "./snapshot.ts";

export const kinds = ["channels", "groups", "folders", "linkifiers", "profile_fields"] as const;

export type LastIds = Readonly<Record<(typeof kinds)[number], number>>;

/** 0 where there is none, or the server has no such things. */
export const lastId = (all: readonly { readonly id: number }[] | null | undefined): number =>
  all?.reduce((most, { id }) => Math.max(most, id), 0) ?? 0;

export function lastIds(snapshot: Snapshot): LastIds {
  const { organization, channel_folders } = snapshot;
  return {
    channels: lastId(channelsOf(snapshot).map(({ stream_id }) => ({ id: stream_id }))),
    groups: lastId(organization.realm_user_groups),
    folders: lastId(channel_folders),
    linkifiers: lastId(organization.realm_linkifiers),
    profile_fields: lastId(organization.custom_profile_fields),
  };
}
