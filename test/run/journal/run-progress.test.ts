import { expect, test } from "vitest";
import { downloadText } from "../../../src/output/progress.ts";
import { barText, type RunProgress } from "../../../src/run/journal/run-progress.ts";

const state: RunProgress = {
  rows: 5000,
  value: 951,
  rate: 12.34,
  left: 328.1,
  isStopped: false,
  failures: { refused: 2, unknown: 0 },
};

const rest = "951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused";

test.each([
  ["rate, time left and refusals", 80, {}, `==------ 19 % | ${rest}`],
  ["more of a bar on a wide terminal", 100, {}, `====---------------- 19 % | ${rest}`],
  ["no bar on a narrow terminal", 59, {}, "951/5000, 5 min 29 s left, 2 refused"],
  [
    "the beginning of a run",
    80,
    { value: 0, rate: 0, left: undefined, failures: { refused: 0 } },
    "-------- 0 % | 0 of 5000 rows | 0.0 a second | ? left | 0 refused",
  ],
  ["the end of a run", 80, { isStopped: true }, "==------ 19 % | 951 of 5000 rows | finishing | 2 refused"],
])("shows %s", (_, columns, more, text) => {
  expect(barText({ ...state, ...more }, columns)).toBe(text);
});

test("shows the progress of a download, without its name in a narrow terminal", () => {
  const times = [0, 2000, 2000];
  const text = downloadText({ monotonic: () => times.shift()! }, { name: "all.tar.gz", total: 4096, from: 1024 });
  expect(text(3072, 80)).toBe("all.tar.gz | 75 % | 1 s left | 3.0 KiB of 4.0 KiB | 1.0 KiB/s");
  expect(text(3072, 50)).toBe("75 % | 1 s left | 3.0 KiB of 4.0 KiB | 1.0 KiB/s");
});
