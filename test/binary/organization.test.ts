/** The jobs and the script of `docs/organization.md`, as they stand there, with the built program and a server. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { directory } from "../node/directory.ts";
import { blocks, page } from "../pages.ts";
import { environment, program, run, serving } from "./program.ts";

const text = page("docs/organization.md");
type Jobs = Record<string, { steps: { uses?: string; run?: string }[] }>;

const [first, more] = blocks(text, "yaml").map((block) => parse(block));
const workflow = first as { env: Record<string, string>; jobs: Jobs };
const jobs = { ...workflow.jobs, ...(more as Jobs) };
const [people = ""] = blocks(text, "sh");

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
  /** The steps of a job but those that fetch what is here already. */
  const job = (name: string) => {
    const steps = jobs[name]!.steps.flatMap(({ run }) => (run && !run.startsWith("npm ") ? [run] : []));
    expect(steps.length).toBeGreaterThan(0);
    return start(steps.join("\n"));
  };
  const channel = (name: string) => [...sandbox.state.channels.values()].find((one) => one.name === name)!;
  return { home, start, job, channel };
}

describe("the workflow", () => {
  test("gives its jobs the account that zulipctl reads", () => {
    expect(Object.keys(workflow.env)).toEqual(["ZULIP_SITE", "ZULIP_EMAIL", "ZULIP_API_KEY"]);
    expect(Object.keys(jobs)).toEqual(["review", "drift", "apply"]);
  });

  test("tells a reviewer what a change would do, and what is wrong with it", async () => {
    const { home, start, job } = await place();
    await start("zulipctl org export > organization/all.yaml");
    const file = join(home, "organization/all.yaml");
    const exported = readFileSync(file, "utf8");
    writeFileSync(file, exported.replace("Sketches and **drafts**", "Sketches"));
    const shown = await job("review");
    expect(shown).toMatchObject({ code: 0, err: "" });
    expect(shown.out).toContain('~ channel design\n    description: "Sketches and **drafts**" → "Sketches"\n');
    writeFileSync(file, exported.replace("is_private: false", "is_privat: false"));
    const refused = await job("review");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/organization\/all\.yaml, line \d+, column 5: unknown key "is_privat"/);
  });

  test("says every night whether all is as the files say", async () => {
    const { start, job, channel } = await place();
    await start("zulipctl org export > organization/all.yaml");
    const still = await job("drift");
    expect(still).toMatchObject({ code: 0, err: "" });
    expect(still.out).toMatch(/^\S+ matches the file\.[^\n]*\n$/);
    channel("design").description = "Changed by hand";
    const drifted = await job("drift");
    expect(drifted.code).toBe(8);
    expect(drifted.out).toContain('~ channel design\n    description: "Changed by hand" → "Sketches and **drafts**"\n');
  });

  test("puts into force what was merged, and then nothing differs", async () => {
    const { home, start, job, channel } = await place();
    await start("zulipctl org export > organization/all.yaml");
    const file = join(home, "organization/all.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("Sketches and **drafts**", "Sketches"));
    expect(await job("apply")).toMatchObject({ code: 0 });
    expect(channel("design").description).toBe("Sketches");
    expect(await job("drift")).toMatchObject({ code: 0, err: "" });
  });
});

test("the script makes lists and people of what a directory gives", async () => {
  const { home, start } = await place();
  writeFileSync(
    join(home, "people.csv"),
    "address,team\nmona@sandbox.example,Design\notis@sandbox.example,Sales\nnew@sandbox.example,Design\n",
  );
  const [, groups = ""] = /```yaml organization\/groups\.yaml\n([^`]*'@lists[^`]*)```/.exec(text)!;
  writeFileSync(join(home, "organization/groups.yaml"), groups);
  const { code, err, out } = await start(`${people}\nzulipctl org plan organization -o json`);
  expect({ code, err }).toEqual({
    code: 0,
    err: "zulipctl: organization/people.yaml:6:5: new@sandbox.example is invited: plan again after they join\n",
  });
  const { changes } = JSON.parse(out) as { changes: { section: string; name: string; action: string }[] };
  expect(changes.map(({ section, name, action }) => `${action} ${section} ${name}`)).toEqual(
    expect.arrayContaining(["update groups designers", "invite people new@sandbox.example"]),
  );
});
