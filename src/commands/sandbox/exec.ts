import { Usage } from "../../errors.ts";
import type { Context } from "../../run/context.ts";
import { environment } from "./owner.ts";
import { type Options, setupOf } from "./setup.ts";

/** Runs a program against a fresh server; its exit code. */
export async function exec(context: Context, options: Options, words: string[]): Promise<number> {
  const { world } = context;
  const server = await world.embed({ ...(await setupOf(context, options)), port: 0 });
  try {
    return await world.host(words, environment(world.env, server.info));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Usage(code === "ENOENT" ? `program not found: ${words[0]}` : `${words[0]} cannot be run: ${code}`);
  } finally {
    await server.close();
  }
}
