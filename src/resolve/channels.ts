/** Every channel whose settings an account may see, on servers of every level. */
import { type Channel, getChannels } from "../api/channels.ts";
import { Refused } from "../errors.ts";
import type { AnswerOf, ArgsOf } from "../wire/operation.ts";

interface Wish {
  /** Archived ones too: `true` as far as the server can tell them, `"surely"` where a server that cannot is to be refused. */
  archived: boolean | "surely";
  /** Whether each record is to say if it is a default channel. */
  defaults?: boolean;
}

type Args = ArgsOf<typeof getChannels>;

/** What to ask, the widest question first; where it is refused, the next, if there is one. */
export function channelQuestions(level: number, { archived, defaults }: Wish): Args[] {
  const rest: Args = {
    ...((archived === "surely" || (archived && level >= 315)) && { exclude_archived: false }),
    ...(defaults && { include_default: true }),
  };
  if (level >= 356) return [{ include_all: true, ...rest }];
  // Only administrators could ask for all; to others public and subscribed channels were all there was.
  return [
    { include_all_active: true, ...rest },
    { include_web_public: true, ...rest },
  ];
}

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
