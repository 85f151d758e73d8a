/** What differs between an organization and a file. */
import { describe, expect, test } from "vitest";
import { applyTo } from "../../src/organization/apply-to-snapshot.ts";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { exportContent } from "../../src/organization/export.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const said = (value: unknown): Content => JSON.parse(JSON.stringify(value));

describe("an export compared with what it is of", () => {
  test.each([507, 442, 388, 371, 300, 160, 0])("differs in nothing on level %i", async (level) => {
    const snapshot = await snapshotIn(fresh({ level }));
    for (const subscribers of [true, false]) {
      const content = said(exportContent(snapshot, { subscribers }).value);
      expect(compare(snapshot, content)).toEqual({
        differences: [],
        withheld: [],
        used: [],
        refused: [],
        problems: [],
        notices: [],
        unmanaged: {},
      });
    }
    expect(compare(applyTo(snapshot, []), said(exportContent(snapshot, {}).value)).differences).toEqual([]);
  });
});
