import { type Channel, everyChannel, getChannels } from "../../api/channels.ts";
import type { Named } from "../../cli/kinds.ts";
import { counted, firstOf } from "../../counted.ts";
import { Refused } from "../../errors.ts";
import type { Question } from "../../question.ts";
import type { Context } from "../../run/context.ts";

/** As many are named. */
const most = 5;

const losing = (count: number): string => `${counted(count, "subscriber")} ${count === 1 ? "loses" : "lose"} access.`;

/** With names and subscribers; `otherwise` where the server refuses to tell them. */
export async function question(
  { server }: Pick<Context, "server">,
  things: readonly Named[],
  otherwise: Question,
): Promise<Question> {
  let channels: readonly Channel[];
  try {
    channels = (await (await server()).call(getChannels, { ...everyChannel, include_default: true })).streams;
  } catch (error) {
    if (error instanceof Refused) return otherwise;
    throw error;
  }
  const known = new Map(channels.map((channel) => [channel.stream_id, channel]));
  const found = things.map(({ id, typed }): Partial<Channel> & { name: string } => known.get(id) ?? { name: typed });
  const defaults = found.flatMap(({ name, is_default }) => (is_default ? [name] : []));
  const isDefault = defaults.length ? [`New users are subscribed to ${firstOf(defaults, most)} by default.`] : [];
  const withDefaults = (consequence: string | undefined) => [consequence, ...isDefault].filter(Boolean).join(" ");
  const [{ name, subscriber_count: count }] = found as [(typeof found)[number]];
  if (things.length === 1)
    return {
      question: `Archive channel "${name}"`,
      consequence: withDefaults(count === undefined ? otherwise.consequence : losing(count)),
    };
  const names = found.map((each) =>
    each.subscriber_count === undefined ? each.name : `${each.name} (${counted(each.subscriber_count, "subscriber")})`,
  );
  return { ...otherwise, consequence: withDefaults(`${firstOf(names, most)}. ${otherwise.consequence}`) };
}
