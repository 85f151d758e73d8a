import { createExport } from "../../api/exports.ts";
import { kebab } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import { Failure, Unreachable, Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import type { Conclusion, Context, Plan } from "../../run/context.ts";
import { type Place, placeOf, type SavingFlags } from "../../run/saving.ts";
import { fetched } from "./download.ts";
import { awaited, defaultWait, ready } from "./wait.ts";

/** What the flag says, in the words of the newest servers; `wire` turns them into what older ones expect. */
const types = { public: "public", standard: "full_with_consent" } as const;

interface Options extends SavingFlags {
  type?: keyof typeof types;
  wait?: boolean;
  waitTimeout?: number;
}

export async function create(context: Context, options: Options): Promise<Plan> {
  const { type, to, overwrite, wait, waitTimeout = defaultWait } = options;
  for (const name of ["to", "waitTimeout", "overwrite"] as const)
    if (!wait && options[name] !== undefined)
      throw new Usage(`--${kebab(name)} requires --wait`, {
        hint: "When the export is ready: zulipctl export download <id>",
      });
  const place = to === undefined ? undefined : await placeOf(context, options);
  if (to === undefined && overwrite) throw new Usage("--overwrite requires --to");
  if (type) await context.checkSupported(createExport, [{ param: "export_type", flag: "--type" }]);
  const requested = change(
    createExport,
    { export_type: type && types[type] },
    {
      target: type ?? "public",
      done: "Requested export {id}.",
      ids: "id",
      verifyWith: "zulipctl export list",
      flags: type ? { export_type: "--type" } : {},
      confirm:
        type === "standard"
          ? { question: "Export private data", consequence: "It holds what people who consented wrote in private." }
          : undefined,
    },
  );
  if (!wait) return { changes: [requested] };
  return { changes: [requested], next: (made) => completed(context, made, { seconds: waitTimeout, place }) };
}

/** Waits for an export that was requested, and downloads it where a place is given. */
async function completed(
  context: Context,
  made: Changed,
  { seconds, place }: { seconds: number; place: Place | undefined },
): Promise<Conclusion | undefined> {
  const { id } = made.answer as { id?: number };
  const ended = (failure: Failure): Conclusion => ({ kind: "ended", failure, result: made });
  if (id === undefined)
    return ended(
      new Unreachable("the server did not say which export it makes", { hint: "List them with: zulipctl export list" }),
    );
  await context.note(`zulipctl: ${made.sentence}`);
  try {
    const found = await awaited(context, id, seconds);
    return place ? await fetched(context, found, place) : ready(found);
  } catch (error) {
    // The export was requested, whatever became of the rest: its id is the result.
    if (error instanceof Failure && !(place && place.path === undefined)) return ended(error);
    throw error;
  }
}
