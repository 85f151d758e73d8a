/** Every channel whose settings an account may see, on servers of every level. */
import { type Channel, channelQuestions, getChannels } from "../api/channels.ts";
import { Refused } from "../errors.ts";
import type { AnswerOf, ArgsOf } from "../wire/operation.ts";

interface Wish {
  /** Archived ones too: `true` as far as the server can tell them, `"surely"` where a server that cannot is to be refused. */
  archived: boolean | "surely";
  /** Whether each record is to say if it is a default channel. */
  defaults?: boolean;
}

type Args = ArgsOf<typeof getChannels>;

/** `ask` makes one read: `server.call` for a look-up, the command's own for a list. */
export async function readChannels(
  ask: (operation: typeof getChannels, args: Args) => Promise<AnswerOf<typeof getChannels>>,
  level: number,
  wish: Wish,
): Promise<Channel[]> {
  const [all, some] = channelQuestions(level, wish);
  try {
    return (await ask(getChannels, all!)).streams;
  } catch (error) {
    if (!some || !(error instanceof Refused) || error.details.httpStatus !== 400) throw error;
    return (await ask(getChannels, some)).streams;
  }
}
