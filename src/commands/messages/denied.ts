/** Recognizes a refusal that holds for all messages: a missing permission. */
import type { Message } from "../../api/messages.ts";
import type { Change } from "../../engine/change.ts";
import { type Failure, Refused } from "../../errors.ts";
import type { Evaluation } from "../../permissions/evaluation.ts";
import type { Context } from "../../run/context.ts";

/** A permission for messages of others. */
export interface Permission {
  /** Its name in a channel, on servers that have it there, and in the organization. */
  readonly channel: string;
  readonly organization: string;
  /** Follows "this account may not". */
  readonly lets: string;
  /** Whether your own messages need it too. */
  readonly own: boolean;
}

function denied(evaluation: Evaluation, channel: number | undefined, permission: Permission): boolean {
  const organization = evaluation.findCell("organization", null, permission.organization);
  const cell = (channel !== undefined && evaluation.findCell("channel", channel, permission.channel)) || organization;
  const me = evaluation.snapshot.organization.user_id;
  return cell !== undefined && evaluation.may(me, cell) === false;
}

/** For the engine. The account's permissions are read once, after the first refusal. */
export function deniedForAll(
  context: Context,
  messages: readonly Message[],
  permissions: readonly Permission[],
): (change: Change) => Promise<Failure | undefined> {
  let evaluation: Promise<Evaluation> | undefined;
  return async () => {
    if (!messages.length) return undefined;
    evaluation ??= evaluationOf(context);
    const known = await evaluation;
    const me = known.snapshot.organization.user_id;
    for (const permission of permissions) {
      const concerned = messages.filter(({ sender_id }) => permission.own || sender_id !== me);
      const channels = [...new Set(concerned.map(({ stream_id }) => stream_id))];
      if (concerned.length < messages.length || !channels.every((channel) => denied(known, channel, permission)))
        continue;
      const message = `permission denied: this account may not ${permission.lets}`;
      await context.warn(`zulipctl: ${message}. Nothing more is sent.`);
      return new Refused(message, { outcome: "not_sent" });
    }
    return undefined;
  };
}

/** Loaded after a refusal alone. */
async function evaluationOf({ server, command, world }: Context): Promise<Evaluation> {
  const { evaluate } = await import("../../permissions/evaluation.ts");
  const { takeSnapshot } = await import("../../organization/fetch-snapshot.ts");
  return evaluate(await takeSnapshot(await server(), { command, now: world.clock.now(), partial: true }));
}
