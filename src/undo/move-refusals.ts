/** What servers refuse of moves of messages, beside missing permissions. */
import { counted } from "../common/counted.ts";
import { membersOf } from "../common/object-members.ts";
import { roles } from "../model/person.ts";
import { withUnit } from "../model/unit.ts";
import type { MovePlace } from "../permissions/needs.ts";
import { clockDifference, type State } from "./state.ts";

/** How long after a limit servers still move messages, in milliseconds. */
const grace = 20_000;

interface Move extends MovePlace {
  /** The new topic. */
  readonly name: string;
  readonly messages: readonly { readonly timestamp: number }[];
}

/** Moderators and above move messages of any age. Clocks can differ, so what may be in time is sent. */
async function tooOld(state: State, { from, to, topic, messages }: Move): Promise<string | undefined> {
  const { role } = await state.present.ownAccount();
  if (role <= roles.moderator) return undefined;
  const limits = [
    ...(topic === "renamed" ? ["move_messages_within_stream_limit_seconds"] : []),
    ...(from === to ? [] : ["move_messages_between_streams_limit_seconds"]),
  ];
  const settings = limits.length ? await state.present.organization() : {};
  for (const name of limits) {
    const limit = settings[name];
    if (typeof limit !== "number") continue;
    const oldest = state.now - limit * 1000 - grace - clockDifference;
    const { length } = messages.filter(({ timestamp }) => timestamp * 1000 < oldest);
    const allowed = `this account may move messages for ${withUnit(name, limit)} (${name})`;
    if (length) return `${counted(length, "message")} ${length === 1 ? "is" : "are"} too old: ${allowed}`;
  }
  return undefined;
}

/** Returns why the new topic is refused by the policy of its channel. */
async function topicRefusal(state: State, { to, name }: Move): Promise<string | undefined> {
  const policy = membersOf((await state.channels()).get(to)).topics_policy ?? "inherit";
  if (policy === "empty_topic_only" && name !== "") return "the channel has no named topics (topics_policy)";
  if (name !== "") return undefined;
  const settings = policy === "inherit" ? await state.present.organization() : {};
  const isRequired = [policy, settings.topics_policy].includes("disable_empty_topic");
  return isRequired || settings.mandatory_topics === true ? "the channel requires topics (topics_policy)" : undefined;
}

export const moveRefusal = async (state: State, move: Move): Promise<string | undefined> =>
  (await topicRefusal(state, move)) ?? tooOld(state, move);
