import { type Channel, channelsOf, type Snapshot } from "../snapshot.ts";

const channelsById = new WeakMap<Snapshot, ReadonlyMap<number, Channel>>();

/** Asked for each of very many channels, in time that does not grow with their number. */
export function channelIn(snapshot: Snapshot, id: number): Channel | undefined {
  const known = channelsById.get(snapshot) ?? new Map(channelsOf(snapshot).map((each) => [each.stream_id, each]));
  channelsById.set(snapshot, known);
  return known.get(id);
}
