import { createExport } from "../../api/exports.ts";
import { kebab } from "../../cli/word.ts";
import { type Change, change } from "../../engine/change.ts";
import { Failure, Unreachable, Usage } from "../../errors.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion, Ended } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { placeOf, type SavingFlags } from "../../run/saving.ts";
import { fetched } from "./download.ts";
import { awaited, defaultWait, ready } from "./wait.ts";

/** What the flag says, in the words of the newest servers; `wire` turns them into what older ones expect. */
const types = { public: "public", standard: "full_with_consent" } as const;

export type ExportType = keyof typeof types;

export const requested = ({ type }: { type?: ExportType }): Change =>
  change(
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

interface Options extends SavingFlags {
  type?: ExportType;
  waitTimeout?: number;
}

const unnamed = () =>
  new Unreachable("the server did not say which export it makes", { hint: "List them with: zulipctl export list" });

/** `export create --wait`: what is asked for, then awaited, and with `--to` fetched. */
export async function createAndWait(context: Context, options: Options): Promise<Conclusion | undefined> {
  const { type, to, waitTimeout = defaultWait } = options;
  const { world } = context;
  world.signals.outcome ??= "not_sent";
  const place = to === undefined ? undefined : await placeOf(context, options);
  if (to === undefined && options.overwrite) throw new Usage("--overwrite requires --to");
  if (type) await context.foresee(createExport, [{ param: "export_type", flag: "--type" }]);
  const created = await commit(context, [{ ...requested(options), command: context.command }]);
  if (created.kind !== "change") return created;
  const { id } = created.answer as { id?: number };
  const ended = (failure: Failure): Ended => ({ kind: "ended", failure, result: created });
  if (id === undefined) return ended(unnamed());
  await context.note(`zulipctl: ${created.sentence}`);
  try {
    const found = await awaited(context, id, waitTimeout);
    return place ? await fetched(context, found, place) : ready(found);
  } catch (error) {
    // The export was asked for, whatever became of the rest: its id is the result.
    if (error instanceof Failure && !(place && place.path === undefined)) return ended(error);
    throw error;
  }
}

/** Without `--wait`. */
export async function create(context: Context, options: Options): Promise<Change[]> {
  for (const name of ["to", "waitTimeout", "overwrite"] as const)
    if (options[name] !== undefined)
      throw new Usage(`--${kebab(name)} requires --wait`, {
        hint: "When the export is ready: zulipctl export download <id>",
      });
  if (options.type) await context.foresee(createExport, [{ param: "export_type", flag: "--type" }]);
  return [requested(options)];
}
