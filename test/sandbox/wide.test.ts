import { expect, test } from "vitest";
import { changes, sorted } from "./history.ts";
import { readWide, WideObserver } from "./wide.ts";

for (const name of ["open-7", "open-8", "open-9", "open-10", "open-11", "open-12", "open-13", "open-14"]) {
  test(`the sandbox answers an administrator's days ${name} as the real server did, tells and keeps the same`, async () => {
    const { world, start, steps } = readWide(name);
    const observer = new WideObserver(world, { level: 371 });
    let before = await observer.look();
    expect(changes(start, before)).toEqual({});
    const differences: unknown[] = [];
    for (const [index, step] of steps.entries()) {
      const { status, body, changed = {} } = step;
      const { now, ...answer } = await observer.take(step, before);
      const left = changes(before, now);
      before = now;
      // Where the real server broke, only what it left behind is to be compared.
      const agrees = status === 500 || sorted(answer) === sorted({ status, body });
      if (!agrees || sorted(left) !== sorted(changed)) {
        differences.push({ step: index + 1, asked: step, here: { ...answer, left } });
      }
    }
    expect(differences).toEqual([]);
  });
}
