/** Explains why servers refuse to read something of an archived channel. */
import { allChannelsArgs, getChannels } from "../api/channels.ts";
import { type Failure, Refused, undefinedOnFailure } from "../errors.ts";
import type { Call } from "../wire/call.ts";
import type { AnswerOf, ArgsOf } from "../wire/operation.ts";

/** What it needs of the server. */
interface ChannelReader {
  readonly host: string;
  /** Reads the feature level. */
  level(): Promise<number>;
  lookUp(read: typeof getChannels, args: ArgsOf<typeof getChannels>): Promise<AnswerOf<typeof getChannels>>;
}

/** Older servers refuse the id of an archived channel like that of a missing one. */
export const archivedSince = 480;

/** Returns the failure of a refused read, with the reason if the channel is archived. */
export async function explainArchived(
  server: ChannelReader,
  { operation, args }: Call,
  failure: Failure,
): Promise<Failure> {
  const { httpStatus, code } = failure.details;
  if (operation.ofArchived === undefined || httpStatus !== 400 || code !== "BAD_REQUEST") return failure;
  // The first failure is more important than one of these reads.
  const level = await undefinedOnFailure(server.level());
  if (level === undefined || level >= archivedSince) return failure;
  const answer = await undefinedOnFailure(server.lookUp(getChannels, allChannelsArgs));
  const channel = answer?.streams.find(({ stream_id }) => stream_id === args.stream_id);
  if (!channel?.is_archived) return failure;
  return new Refused(
    `channel "${channel.name}" is archived: servers show its ${operation.ofArchived} from feature level ${archivedSince} on; ${server.host} has level ${level}`,
    { ...failure.details, hint: `Unarchive it first with: zulipctl channel unarchive ${channel.stream_id}` },
  );
}
