import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test("the trunk's help tells the commands first, then the global flags", async () => {
  const { code, out, err } = await zulipctl(["--help"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.match(/^\S.*:$/gm)).toEqual(["Commands:", "Flags:", "Global flags:"]);
  expect(out).toContain("\n  channel               Channels and their settings (update, list)\n");
  expect(out).toContain("\n  -n, --dry-run         print what would be sent; send no change\n");
});

test("the program alone tells its help", async () => {
  const { out } = await zulipctl([]);
  expect(out).toBe((await zulipctl(["--help"])).out);
});

test("a noun's help tells its verbs and their arguments", async () => {
  const { out } = await zulipctl(["attachment", "--help"]);
  expect(out).toBe(
    [
      "Uploaded files of one's own",
      "",
      "Usage: zulipctl attachment <verb> [arguments] [flags]",
      "",
      "Commands:",
      "  rm <id...>  Delete uploaded files of one's own, for good",
      "  list        One's own uploads",
      "",
      "Flags:",
      "  -h, --help  show help",
      "",
      "zulipctl --help tells the global flags.",
      "",
    ].join("\n"),
  );
});

test("a verb's help tells its own flags alone", async () => {
  const { out } = await zulipctl(["folder", "create", "--help"]);
  expect(out).toMatch(/^Create a channel folder\n\nUsage: zulipctl folder create <name> \[flags\]\n\nArguments:\n/);
  expect(out.match(/^ {2}-\S+/gm)).toEqual(["  --description", "  -h,"]);
});
