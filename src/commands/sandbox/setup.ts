import { readFile } from "../../argv/text.ts";
import type { EmbeddedSetup } from "../../embedded.ts";
import type { Context } from "../../run/context.ts";

/** Bytes of a description at most. */
const largest = 256 * 1024 * 1024;

export interface Options {
  world?: string;
  users?: number;
  exportSize?: number;
  rateLimits: boolean;
  fixedPasswords?: boolean;
  fault?: string[];
}

export async function setupOf(
  { world, flags }: Pick<Context, "world" | "flags">,
  { world: file, users = 0, exportSize, rateLimits, fixedPasswords, fault = [] }: Options,
): Promise<EmbeddedSetup> {
  return {
    users,
    rateLimits,
    ...(fixedPasswords && { fixedPasswords }),
    faults: fault,
    ...(exportSize !== undefined && { exportSize }),
    ...(flags.featureLevel !== undefined && { level: flags.featureLevel }),
    ...(file !== undefined && { world: { file, text: await readFile(world, "--world", file, largest) } }),
  };
}
