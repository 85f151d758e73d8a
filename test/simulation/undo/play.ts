/** Plays a story from a seed. */
import { Chance } from "../chance.ts";
import { Machine } from "./machine.ts";
import { own, prepared } from "./runs.ts";
import { sceneOf } from "./scenes/index.ts";
import { Stage } from "./stage.ts";
import { type Story, Tale } from "./story.ts";
import { isScene, type Theme } from "./themes.ts";

/** `theme`: what happens more often in it. By default the seed tells. */
export async function playStory(seed: number, theme?: Theme): Promise<Story> {
  const chance = new Chance(seed);
  const machine = new Machine(structuredClone(await prepared), chance, own);
  if (!isScene(theme)) return new Tale(chance, machine, theme).tell();
  const stage = new Stage(chance, machine);
  await sceneOf[theme](stage);
  return stage.story;
}
