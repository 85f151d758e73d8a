/** Stories about a few things that runs and others change in turn. */

import type { Stage } from "../stage.ts";
import type { Scene } from "../themes.ts";
import { adopted } from "./adopted.ts";
import { contested } from "./contested.ts";
import { leaving } from "./leaving.ts";
import { remade } from "./remade.ts";
import { idle, lost, stopped } from "./stopped.ts";
import { topics } from "./topics.ts";

export const sceneOf: Readonly<Record<Scene, (stage: Stage) => Promise<void>>> = {
  contested,
  remade,
  adopted,
  topics,
  leaving,
  stopped,
  lost,
  idle,
};
