/** The workflow of `docs/organization.md`, with the built program and a server. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { directory } from "../node/directory.ts";
import { blocks, page } from "../pages.ts";
import { environment, program, run, serving } from "./program.ts";

const text = page("docs/organization.md");
const workflow = parse(blocks(text, "yaml").find((block) => block.includes("jobs:"))!) as {
  env: Record<string, string>;
  jobs: { organization: { steps: { if?: string; run?: string }[] } };
};
const { steps } = workflow.jobs.organization;

/** A checkout, with `zulipctl` on the path, and a server. */
async function place() {
  const home = directory();
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "organization"));
  symlinkSync(program, join(home, "bin/zulipctl"));
  const { sandbox, env } = await serving();
  const start = async (script: string) => {
    writeFileSync(join(home, "script"), script);
    const all: Record<string, string> = { ...environment(home), ...env };
    return run(["sh", "-e", "script"], { env: { ...all, PATH: `${home}/bin:${all.PATH}` }, cwd: home });
  };
  /** Runs the steps of the workflow for an event. */
  const job = (event: string) => {
    const [step] = steps.filter((each) => each.if === `github.event_name == '${event}'`);
    return start(step!.run!);
  };
  const channel = (name: string) => [...sandbox.state.channels.values()].find((one) => one.name === name)!;
  return { home, start, job, channel };
}

describe("the workflow", () => {
  test("gives its job the environment that zulipctl reads", () => {
    expect(Object.keys(workflow.env)).toEqual(["ZULIP_SITE", "ZULIP_EMAIL", "ZULIP_API_KEY"]);
  });

  test("shows a reviewer the changes, or the errors of the file", async () => {
    const { home, start, job } = await place();
    await start("zulipctl org export --complete > organization/all.yaml");
    const file = join(home, "organization/all.yaml");
    const exported = readFileSync(file, "utf8");
    writeFileSync(file, exported.replace("Sketches and **drafts**", "Sketches"));
    const shown = await job("pull_request");
    expect(shown).toMatchObject({ code: 0, err: "" });
    expect(shown.out).toContain('~ channel design\n    description: "Sketches and **drafts**" → "Sketches"\n');
    writeFileSync(file, exported.replace("is_private: false", "is_privat: false"));
    const refused = await job("pull_request");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/organization\/all\.yaml, line \d+, column 5: unknown key "is_privat"/);
  });

  test("fails at night if somebody changed something by hand", async () => {
    const { start, job, channel } = await place();
    await start("zulipctl org export --complete > organization/all.yaml");
    const still = await job("schedule");
    expect(still).toMatchObject({ code: 0, err: "" });
    expect(still.out).toMatch(/^\S+ matches the file\.[^\n]*\n$/);
    channel("design").description = "Changed by hand";
    const drifted = await job("schedule");
    expect(drifted.code).toBe(8);
    expect(drifted.out).toContain('~ channel design\n    description: "Changed by hand" → "Sketches and **drafts**"\n');
  });

  test("applies what was merged, and then has no differences", async () => {
    const { home, start, job, channel } = await place();
    await start("zulipctl org export --complete > organization/all.yaml");
    const file = join(home, "organization/all.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("Sketches and **drafts**", "Sketches"));
    expect(await job("push")).toMatchObject({ code: 0 });
    expect(channel("design").description).toBe("Sketches");
    expect(await job("schedule")).toMatchObject({ code: 0, err: "" });
  });
});
