import { expect, test } from "vitest";
import { debianChangelog, debianVersion } from "../../scripts/single/changelog.mjs";

const text = `# Changelog

## 1.1.0-rc.1, not released yet

### Added

- \`--to\` takes a directory, as [the page](docs/install.md) says, and this sentence is so long that
  it has to be broken.

## 1.0.0, 2026-01-15

- The first release.
`;

test("the changelog has Debian's form, with the days of releases", () => {
  expect(
    debianChangelog(text, "Ada <ada@example.com>", 1_768_500_000),
  ).toBe(`zulipctl (1.1.0~rc.1) UNRELEASED; urgency=medium

  * --to takes a directory, as the page says, and this sentence is so long
    that it has to be broken.

 -- Ada <ada@example.com>  Thu, 15 Jan 2026 18:00:00 +0000

zulipctl (1.0.0) stable; urgency=medium

  * The first release.

 -- Ada <ada@example.com>  Thu, 15 Jan 2026 12:00:00 +0000
`);
});

test("a version before a release sorts before it", () => {
  expect(["1.0.0", "1.0.0-rc.1"].map(debianVersion)).toEqual(["1.0.0", "1.0.0~rc.1"]);
});
