import { expect, test } from "vitest";
import { barLine } from "../../src/output/bar.ts";
import type { Standing } from "../../src/output/rate.ts";

const standing: Standing = {
  rows: 5000,
  value: 951,
  rate: 12.34,
  left: 328.1,
  finishing: undefined,
  lacking: { refused: 2, unknown: 0 },
};

test.each([
  [200, "====---------------- 19 % | 951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused"],
  [79, "===------------- 951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused"],
  [60, "==---------- 951/5000 | 12.3/s | 5 min 29 s left | 2 refused"],
  [49, "951/5000, 12.3/s, 5 min 29 s left, 2 refused"],
  [39, "951/5000, 5 min 29 s left, 2 refused"],
  [20, "951/5000, 5 min 29 s"],
])("in %i columns the bar gives way to the words, and the words to what matters", (columns, line) => {
  expect(barLine(standing, columns)).toBe(line);
});

test.each([
  [200, "====---------------- 19 % | 951 of 5000 rows | finishing 4 requests | 2 refused"],
  [79, "====---------------- 19 % | 951 of 5000 rows | finishing 4 requests | 2 refused"],
  [39, "951/5000, finishing 4 requests"],
])("in %i columns a run that ends says what it waits for", (columns, line) => {
  expect(barLine({ ...standing, finishing: "finishing 4 requests" }, columns)).toBe(line);
});

test("no line is longer than its columns, and none breaks for an empty run", () => {
  for (let columns = 1; columns < 120; columns++)
    expect(barLine(standing, columns).length).toBeLessThanOrEqual(columns);
  expect(barLine({ ...standing, rows: 0, value: 0, rate: 0, left: undefined, lacking: { refused: 0 } }, 79)).toBe(
    "-------------------- 0 % | 0 of 0 rows | 0.0 a second | ? left | 0 refused",
  );
});
