/** Every channel whose settings an account may see, on servers of every level. */
import { type Channel, getChannels } from "../api/channels.ts";
import type { Server } from "../client/server.ts";
import { Refused } from "../errors.ts";
import type { ArgsOf } from "../wire/operation.ts";

interface Wish {
  archived: boolean;
  /** Whether each record is to say if it is a default channel. */
  defaults?: boolean;
}

type Args = ArgsOf<typeof getChannels>;

/** What to ask, the widest question first; where it is refused, the next. */
export function channelQuestions(level: number, { archived, defaults }: Wish): Args[] {
  const rest: Args = {
    ...(archived && level >= 315 && { exclude_archived: false }),
    ...(defaults && { include_default: true }),
  };
  if (level >= 356) return [{ include_all: true, ...rest }];
  // Only administrators could ask for all; to others public and subscribed channels were all there was.
  return [
    { include_all_active: true, ...rest },
    { include_web_public: true, ...rest },
  ];
}

export async function readChannels(server: Server, wish: Wish): Promise<Channel[]> {
  const [all, ...narrower] = channelQuestions(await server.level(), wish);
  try {
    return (await server.call(getChannels, all!)).streams;
  } catch (error) {
    const [some] = narrower;
    if (!some || !(error instanceof Refused) || error.details.httpStatus !== 400) throw error;
    return (await server.call(getChannels, some)).streams;
  }
}
