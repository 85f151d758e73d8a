/** Batches that are killed, taken back and resumed, batches whose lines are lost, and runs that change nothing. */
import { changeBy, type Typed } from "../changes.ts";
import type { Stage } from "../stage.ts";

const linesOf = ({ chance }: Stage, most: number): Typed[] =>
  Array.from({ length: chance.whole(2, most) }, (_, n) => changeBy(chance, n, "batch"));

export async function stopped(stage: Stage): Promise<void> {
  const run = await stage.batch(linesOf(stage, 5), { dies: stage.chance.whole(5, 45) });
  const { ended, accepted } = await stage.undo([run]);
  if (ended.code === 0 && accepted > 0) await stage.resume(run);
}

export async function lost(stage: Stage): Promise<void> {
  const { chance, machine } = stage;
  const run = await stage.batch(linesOf(stage, 4), { space: chance.of([undefined, 1, 2]) });
  if (chance.hits(0.6)) machine.loseLines(() => chance.hits(0.3));
  await stage.undo([run]);
}

/** Runs of a job, some of which change nothing: they do not count when it is taken back. */
export async function idle(stage: Stage): Promise<void> {
  const { chance, machine } = stage;
  const people = ["cora", "otis", "mona"].map((name) => `${name}@sandbox.example`);
  for (let runs = chance.whole(2, 3); runs > 0; runs--) {
    const line = ["channel", "subscribers", "design", chance.of(["--add", "--add", "--delete"]), chance.of(people)];
    await stage.run([line], { job: "nightly" });
    machine.time += chance.of([1, 20, 30]) * 3_600_000;
  }
  await stage.undoJob("nightly");
}
