/** The sandbox as the world hands it in. */

import type { EmbeddedSetup } from "../embedded.ts";
import { Usage } from "../errors.ts";
import type { Clock, Embedded } from "../world.ts";
import { disturbance } from "./disturb.ts";
import { parseFault } from "./faults.ts";
import { listen } from "./listen.ts";
import { createSandbox, type SandboxOptions } from "./sandbox.ts";
import { BadWorld, readWorld, type WorldFile } from "./world-file.ts";

function organization({ file, text }: NonNullable<EmbeddedSetup["world"]>): WorldFile {
  try {
    return readWorld(text);
  } catch (error) {
    if (error instanceof BadWorld) throw new Usage(`--world: ${file}: ${error.message}`);
    throw error;
  }
}

/** `defect` is told of errors that are the sandbox's own. */
export async function embed(
  { port, level, rateLimits, users, exportSize, world, faults, fixedPasswords }: EmbeddedSetup,
  clock: Clock,
  defect: (error: unknown) => void,
): Promise<Embedded> {
  const options: Omit<SandboxOptions, "site"> = {
    clock,
    random: clock.random,
    rateLimits,
    users,
    disturb: disturbance(faults.map(parseFault), clock.sleep),
    ...(level !== undefined && { level }),
    ...(exportSize !== undefined && { exportSize: exportSize * 1024 * 1024 }),
    ...(world && { world: organization(world) }),
  };
  if (port === undefined) {
    const sandbox = createSandbox({ ...options, site: "https://sandbox.example" });
    const info = sandbox.info();
    return { site: info.site, info, request: (request) => sandbox.handle(request), close: async () => undefined };
  }
  try {
    const { sandbox, site, close } = await listen(
      port,
      (site) => createSandbox({ ...options, site, randomPasswords: !fixedPasswords }),
      defect,
    );
    return { site, info: sandbox.info(), request: (request) => sandbox.handle(request), close };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new Usage(`--port ${port} is in use by another program`);
    if (code === "EACCES") throw new Usage(`--port ${port}: permission denied`);
    throw error;
  }
}
