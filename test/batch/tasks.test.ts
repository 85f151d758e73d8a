/** The script in `docs/batch.md`. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { environment, program, run, serving } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { blocks, page } from "../pages.ts";
import { members } from "./rows.ts";

describe("the script for every night", () => {
  const script = blocks(page("docs/batch.md"), "sh")[0]!;

  /** Runs the script in a directory of its own, with a fixed date. */
  function machine(env: Record<string, string>) {
    const home = directory();
    const state = join(home, "state");
    mkdirSync(state);
    mkdirSync(join(home, "bin"));
    symlinkSync(program, join(home, "bin", "zulipctl"));
    writeFileSync(join(home, "bin", "date"), "#!/bin/sh\necho 2026-01-15\n", { mode: 0o755 });
    const path = join(home, "nightly.sh");
    writeFileSync(path, script.replace("/var/lib/zulipctl", state), { mode: 0o755 });
    const base = environment(home);
    const at = `${join(home, "bin")}:${join(process.execPath, "..")}:${base.PATH}`;
    return {
      list: join(state, "joiners-2026-01-15.csv"),
      nightly: () => run(["/bin/sh", path], { env: { ...base, ...env, PATH: at } }),
    };
  }

  test("resumes the earlier run, and then has nothing more to do", async () => {
    const limit = injectFaults([parseFault("429:op=group.members,nth=2,after=1000")], async () => undefined);
    const { env, sandbox } = await serving({ disturb: limit, rateLimits: false });
    const { list, nightly } = machine(env);
    const rows = ["designers,otis@sandbox.example", "writers,mona@sandbox.example", "writers,nobody@sandbox.example"];
    writeFileSync(list, ["group,email", ...rows, ""].join("\n"));
    const first = await nightly();
    expect({ code: first.code, out: first.out }).toEqual({ code: 5, out: "" });
    expect(members(sandbox, "designers").length + members(sandbox, "writers").length).toBe(4);
    const second = await nightly();
    expect(second.err).toContain("1 of 3 not done (1 invalid)");
    expect(members(sandbox, "designers")).toContain(12);
    expect(members(sandbox, "writers")).toContain(10);
    expect(readFileSync(`${list}.open`, "utf8")).toBe("group,email\nwriters,nobody@sandbox.example\n");
    // The person joins the organization under another address, and the rest of the file is corrected by hand.
    writeFileSync(list, `group,email\nwriters,adam@sandbox.example\n`);
    const changed = await nightly();
    expect(changed).toMatchObject({ code: 2, out: "" });
    expect(changed.err).toContain("belongs to another input");
  });
});
