/** Refuses the removal of exports that the server cannot remove. */
import { getExports } from "../../api/exports.ts";
import { isWithin, priorExports } from "../../api/levels.ts";
import { type Change, callIn, isOneOf } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import type { Context } from "../context.ts";

/** Throws `Usage` for exports that were made before the organization moved to this server. */
export async function checkExports({ server }: Context, changes: readonly Change[]): Promise<void> {
  const calls = changes.map(callIn).filter((call) => isOneOf(call, ["export.rm"]));
  if (!calls.length) return;
  const to = await server();
  if (!isWithin(priorExports, await to.level())) return;
  const { exports } = await to.lookUp(getExports, {});
  const prior = new Set<unknown>(exports.flatMap(({ id, export_from_prior_server: isPrior }) => (isPrior ? [id] : [])));
  const ids = calls.flatMap(({ args }) => (prior.has(args.export_id) ? [String(args.export_id)] : []));
  if (!ids.length) return;
  const what = ids.length > 1 ? `exports ${ids.join(", ")} are` : `export ${ids[0]} is`;
  throw new Usage(`${what} on the earlier server: this server cannot delete the file`, {
    hint: "List them with: zulipctl export list",
  });
}
