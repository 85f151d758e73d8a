/** Stories about a few things that runs and others change in turn. */

import type { Stage } from "../stage.ts";
import type { Scene } from "../themes.ts";
import { contested } from "./contested.ts";
import { remade } from "./remade.ts";

export const sceneOf: Readonly<Record<Scene, (stage: Stage) => Promise<void>>> = { contested, remade };
