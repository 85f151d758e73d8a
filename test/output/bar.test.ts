import { expect, test } from "vitest";
import { bar, barText } from "../../src/output/bar.ts";
import type { RunProgress } from "../../src/output/rate.ts";
import { testWorld } from "../world.ts";

const standing: RunProgress = {
  rows: 5000,
  value: 951,
  rate: 12.34,
  left: 328.1,
  finishing: undefined,
  lacking: { refused: 2, unknown: 0 },
};

test("tells how far a run is, how fast it goes, and what was refused", () => {
  expect(barText(standing, 40)).toBe("951/5000, 5 min 29 s left, 2 refused");
  expect(barText(standing, 80)).toBe("951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused");
  expect(barText({ ...standing, rows: 0, value: 0, rate: 0, left: undefined, lacking: { refused: 0 } }, 80)).toBe(
    "0 of 0 rows | 0.0 a second | ? left | 0 refused",
  );
});

test("says what a run that ends waits for", () => {
  expect(barText({ ...standing, finishing: "finishing 4 requests" }, 80)).toBe(
    "951 of 5000 rows | finishing 4 requests | 2 refused",
  );
});

test.each([
  [200, "====----------------", "19 % | 951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused"],
  [80, "==------", "19 % | 951 of 5000 rows | 12.3 a second | 5 min 29 s left | 2 refused"],
  [40, undefined, "951/5000, 5 min 29 s left, 2 refused"],
])("fits into %i columns", (columns, drawn, text) => {
  const { stderr } = testWorld({ terminal: true });
  Object.assign(stderr, { columns });
  const shown = bar(stderr, standing);
  shown.end();
  const [line = ""] = stderr.text.split("\x1b").filter((part) => part.includes("951"));
  expect(line.length).toBeLessThan(columns + 4);
  expect(line).toContain([drawn, text.slice(0, columns - 1)].filter(Boolean).join(" "));
});
