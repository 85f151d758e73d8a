import { expect, test } from "vitest";
import { changes, sorted } from "./history.ts";
import { readWide, WideObserver } from "./wide.ts";

const histories = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((number) => `open-${number}`);

for (const name of histories) {
  test(`the sandbox answers an administrator's days ${name} as the real server did, tells and keeps the same`, async () => {
    const { world, level, start, steps } = readWide(name);
    const observer = new WideObserver(world, { level });
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
