/** Filters of `users list` by the members of groups and channels. Most lists have none, so these reads load late. */
import { getMembers } from "../../api/groups.ts";
import { getSubscribers } from "../../api/subscribers.ts";
import type { User } from "../../api/users.ts";
import { numbersIn } from "../../common/object-members.ts";
import type { Context } from "../../run/context.ts";
import { type Call, call } from "../../wire/call.ts";

interface MemberOptions {
  group?: readonly number[] | undefined;
  channel?: readonly number[] | undefined;
  notInGroup?: readonly number[] | undefined;
  notInChannel?: readonly number[] | undefined;
}

const inGroup = (user_group_id: number) => call(getMembers, { user_group_id });
const inChannel = (stream_id: number) => call(getSubscribers, { stream_id });

/** A group or channel flag, whose members are listed or left out. */
interface MemberFilter {
  reads: readonly Call[];
  /** Sends the reads. */
  test(context: Context): Promise<(user: User) => boolean>;
}

export const memberFilters = ({ group, channel, notInGroup, notInChannel }: MemberOptions): MemberFilter[] =>
  [
    { flag: "--group", reads: group?.map(inGroup), isMember: true },
    { flag: "--channel", reads: channel?.map(inChannel), isMember: true },
    { flag: "--not-in-group", reads: notInGroup?.map(inGroup), isMember: false },
    { flag: "--not-in-channel", reads: notInChannel?.map(inChannel), isMember: false },
  ].flatMap(({ flag, reads, isMember }) => {
    if (!reads) return [];
    const test = async ({ server }: Context) => {
      const members = new Set<number>();
      for (const { operation, args } of reads) {
        const answer = await (await server()).call(operation, args, { command: flag });
        for (const id of numbersIn(answer.members ?? answer.subscribers)) members.add(id);
      }
      return ({ user_id }: User) => members.has(user_id) === isMember;
    };
    return { reads, test };
  });
