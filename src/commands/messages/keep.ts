/** Saves copies of messages before they are deleted or moved. */
import type { Message } from "../../api/messages.ts";
import { canAsk } from "../../argv/confirm.ts";
import { asError, codeOf, Usage } from "../../errors.ts";
import type { Context } from "../../run/context.ts";

/** Without a terminal, more deletions than this require `--keep` or `--no-keep`. */
const most = 20;

/** Throws `Usage` for a script that deletes many messages without a copy. */
export function checkKept({ world, flags }: Context, keep: string | false | undefined, count: number): void {
  if (keep !== undefined || count <= most || canAsk(world, flags)) return;
  throw new Usage(`deleting ${count} messages without a terminal requires --keep <file>`, {
    outcome: "not_sent",
    hint: "Pass --no-keep to delete them without a copy.",
  });
}

/** Writes messages to a new file. Resolves when they are on disk. */
export async function keepCopy({ files }: Context["world"], path: string, messages: readonly Message[]): Promise<void> {
  try {
    const log = await files.append(path, { exclusive: true });
    try {
      for (let from = 0; from < messages.length; from += 1000)
        await log.append(
          messages
            .slice(from, from + 1000)
            .map((message) => `${JSON.stringify(message)}\n`)
            .join(""),
        );
      await log.sync();
    } finally {
      await log.close();
    }
  } catch (error) {
    const why =
      codeOf(error) === "EEXIST" ? `${path} already exists` : `cannot write ${path}: ${asError(error).message}`;
    throw new Usage(`--keep: ${why}`, { outcome: "not_sent" });
  }
}
