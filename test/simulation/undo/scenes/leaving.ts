/** People with bots, default channels, and people and groups that permissions name: all of them are taken out of use. */
import type { Line, Stage } from "../stage.ts";

const deactivated = (who: string): Line =>
  who.includes("@") ? ["users", "deactivate", who] : ["group", "deactivate", who];

/** A run deactivates the owner of a bot. */
async function ownerLeaves(stage: Stage, person: string): Promise<void> {
  await stage.elsewhere(["bots", "update", "beep-bot@sandbox.example", "--owner", person], true);
  await stage.undo([await stage.run([deactivated(person)])]);
}

/** A run archives a channel that new people get. */
async function defaultIsArchived(stage: Stage, channel: string): Promise<void> {
  await stage.elsewhere(["channel", "update", channel, stage.chance.of(["--default", "--no-default"])], true);
  await stage.undo([await stage.run([["channel", "archive", channel]])]);
}

/** Whom a permission named before a run is deactivated after it. */
async function namedIsGone(stage: Stage, channel: string, who: string): Promise<void> {
  const update = ["channel", "update", channel];
  await stage.elsewhere([...update, "--can-send-message-group", who], true);
  const run = await stage.run([
    [...update, "--can-send-message-group", "role:members"],
    [...update, "--description", "ours"],
  ]);
  await stage.elsewhere(deactivated(who), true);
  await stage.undo([run]);
}

export async function leaving(stage: Stage): Promise<void> {
  const { chance } = stage;
  const person = `${chance.of(["cora", "otis", "mona"])}@sandbox.example`;
  const channel = chance.of(["design", "general", "announcements"]);
  const plays = [
    () => ownerLeaves(stage, person),
    () => defaultIsArchived(stage, channel),
    () => namedIsGone(stage, channel, chance.of([person, "makers"])),
  ];
  await chance.of(plays)();
}
