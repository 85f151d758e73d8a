/** Which permission of what is asked about. */
import { Usage } from "../../errors.ts";
import type { Cell, Judgement, Scope } from "../../permissions/judgement.ts";
import { foreseeName, permissionNamed } from "../../permissions/names.ts";
import { finds } from "./finding.ts";

export interface Target {
  channel?: string;
  group?: string;
}

/** What of these words is certain before anything is read. */
export function checkTarget({ channel, group }: Target, permission?: string): void {
  if (channel !== undefined && group !== undefined)
    throw new Usage("--channel cannot be combined with --group: a permission is of one of them");
  const scope = channel !== undefined ? "channel" : group !== undefined ? "group" : "organization";
  if (permission !== undefined) foreseeName(permission, [scope], "<permission>");
}

/** The kind of thing that is named, and its id; the organization where none is. */
export async function targetOf(
  { snapshot }: Judgement,
  { channel, group }: Target,
): Promise<{ scope: Scope; target: number | null }> {
  const find = finds(snapshot);
  if (channel !== undefined) return { scope: "channel", target: await find.channel(channel, "--channel") };
  if (group !== undefined) return { scope: "group", target: await find.group(group, "--group") };
  return { scope: "organization", target: null };
}

export async function cellOf(judgement: Judgement, typed: string, named: Target): Promise<Cell> {
  const { scope, target } = await targetOf(judgement, named);
  return judgement.cell(scope, target, permissionNamed(judgement.facts, typed, [scope], "<permission>"))!;
}
