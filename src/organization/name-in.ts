/** What a snapshot calls people and things. */
import type { Named } from "../resolve/resolver.ts";
import { channelsOf, everybodyOf, type Snapshot } from "./snapshot.ts";

export function nameIn(snapshot: Snapshot): (kind: Named, id: number) => string | undefined {
  const { organization, channel_folders } = snapshot;
  const names: Record<Named, ReadonlyMap<number, string>> = {
    user: new Map(everybodyOf(snapshot).map(({ user_id, full_name }) => [user_id, full_name])),
    group: new Map(organization.realm_user_groups.map(({ id, name }) => [id, name])),
    channel: new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name])),
    folder: new Map(channel_folders?.map(({ id, name }) => [id, name])),
  };
  return (kind, id) => names[kind].get(id);
}
