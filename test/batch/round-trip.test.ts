/** Files that zulipctl wrote, or a spreadsheet, and a batch reads. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { batch } from "./rows.ts";

test.each(["csv", "tsv"])("a list of channels as %s changes nothing", async (form) => {
  const sandbox = fresh();
  const texts = ["@design-team posts here", "- announcements only -", "'quoted'", "'=1", "''@x"];
  for (const [at, text] of texts.entries()) [...sandbox.state.channels.values()][at]!.description = text;
  const fields = "stream_id,description";
  for (const filter of [[], ["--sort", "stream_id"]]) {
    const { out } = await zulipctl(["channel", "list", "-o", form, "--fields", fields, ...filter], { sandbox });
    expect(out).toContain("''=1");
    const files = new Map([[`c.${form}`, out]]);
    const words = ["channel", "update", "{stream_id}", "--description", "{description}", "--if-changed"];
    const { changes, outcomes } = await batch([`c.${form}`, "--", ...words], { sandbox, files });
    expect(changes).toEqual([]);
    expect(outcomes.filter((each) => !each.endsWith(" done"))).toEqual([]);
  }
});

test("the file of --failed keeps the byte order mark", async () => {
  const files = new Map([["c.csv", "\uFEFFid,text\r\n1,'@a\r\n99,'=b\r\n"]]);
  const words = ["channel", "update", "{id}", "--description", "{text}"];
  const { outcomes, changes } = await batch(["c.csv", "--failed", "f.csv", "--", ...words], { files });
  expect(outcomes).toEqual(["1 done", "2 refused"]);
  expect(changes).toEqual(["PATCH /streams/1 description=@a", "PATCH /streams/99 description==b"]);
  expect(files.get("f.csv")).toBe("\uFEFFid,text\r\n99,'=b\r\n");
});

test("a cell is divided at commas as the same word of a command line is", async () => {
  const files = new Map([["p.csv", 'groups,channels\n"writers, designers","design, general"\n']]);
  const words = ["group", "members", "{groups}", "--add", "otis@sandbox.example"];
  const typed = await zulipctl([
    "group",
    "members",
    "writers, designers",
    "--add",
    "otis@sandbox.example",
    "--dry-run",
  ]);
  const dry = await zulipctl(["batch", "p.csv", "--dry-run", "--", ...words], { files });
  expect({ code: dry.code, out: dry.out }).toEqual({ code: 0, out: typed.out });
  const subscribed = await batch(["p.csv", "--", "channel", "subscribers", "{channels}", "--add", "me"], { files });
  expect(subscribed.code).toBe(0);
});
