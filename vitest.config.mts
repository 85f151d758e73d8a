import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { fromTheBuild } from "./test/built.mts";

/** Slow by nature: they kill, wait, start a browser, or try thousands of cases. Only `.ci/run` and `npm run slow` run them. */
const slow = [
  "test/audit/hostile.test.ts",
  "test/cli/names-in-shells.test.ts",
  "test/organization/apply.property.test.ts",
  "test/names/excess-keys.test.ts",
  "test/permissions/report/browser.test.ts",
  "test/safety/{fuzz,matrix,mutated,names,secrets}.test.ts",
  "test/sandbox/history.test.ts",
  "test/kill/**/*.test.ts",
  "test/simulation/**/*.test.ts",
  "test/kinds/left-out.test.ts",
  "test/binary/{download,huge,incomplete,locks,pace}.test.ts",
  "test/terminal/every-wait.test.ts",
  "test/batch/{hangup,terminal}.test.ts",
];

/** They start processes or need a build, or take seconds. `npm run quick` leaves them out. */
const notQuick = [
  ...slow,
  "test/{action,binary,executable,keychain,kinds,node,packaging,safety,terminal}/**",
  "test/**/*.property.test.ts",
  "test/argv/parse-line.test.ts",
  "test/batch/{data,pace,spare,tasks}.test.ts",
  "test/cli/{effects,fields,launcher,program,reference}.test.ts",
  "test/client/{rate-limiter,redactor}.test.ts",
  "test/commands/{each-many,examples}.test.ts",
  "test/commands/org-markdown.test.ts",
  "test/commands/org/{pairs,sections}.test.ts",
  "test/organization/{export,hostile,prediction,schema}.test.ts",
  "test/output/hostile.test.ts",
  "test/permissions/report/page.test.ts",
  "test/release/interface.test.ts",
  "test/resolve/{folding,saved-names}.test.ts",
  "test/sandbox/random.test.ts",
  "test/watch/following.test.ts",
  "test/wire/{record-scanner,splitter}.test.ts",
  "test/documentation.test.ts",
  "test/whole.test.ts",
];

/**
 * Most code of a test runs a few times only, so compiling it in the background for later costs more than it saves. More room
 * for short-lived objects saves copying them. Newer versions of Node choose the moment to compile by themselves.
 */
const v8Flags = ["--always-sparkplug", "--min-semi-space-size=32", "--max-semi-space-size=64"];
if (process.versions.node.startsWith("20.")) v8Flags.push("--interrupt-budget=1000000");

/** About the package of npm, or what Node loads and refuses. They start no executable. */
const notOfExecutable = ["test/binary/{loaded,notices,old-node,package,packed,sbom}.test.ts"];
const ofExecutable = ["test/executable/**/*.test.ts"];

const tests = (name: string, include: string[], exclude: string[] = []) => ({ name, include, exclude });
const all = "test/**/*.test.ts";
const globalSetup = "test/build.ts";
/** All its tests are in `source` too, so only a run that names it has it: `--project quick` or `--project=quick`. */
const named = process.argv.join(" ").match(/ --project[ =]quick( |$)/) !== null;
const quick: TestProjectConfiguration[] = named ? [{ extends: true, test: tests("quick", [all], notQuick) }] : [];

export default defineConfig({
  test: {
    // Otherwise a style sheet that is imported as text is empty.
    css: true,
    // Tests leave nothing behind in their process, so the files of one worker share the program's modules.
    isolate: false,
    execArgv: v8Flags,
    // Many tests wait for other processes, and for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", "json"] : ["default"],
    outputFile: { json: "coverage/tests.json" },
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary"] },
    projects: [
      ...quick,
      { extends: true, test: { ...tests("source", [all], [...slow, ...ofExecutable]), globalSetup } },
      {
        // Each verb once more, as it ships.
        extends: true,
        plugins: [fromTheBuild()],
        test: { ...tests("built", ["test/commands/cases.test.ts", "test/documentation.test.ts"]), globalSetup },
      },
      { extends: true, test: { ...tests("slow", slow), globalSetup } },
      {
        // The executable, which takes seconds to make.
        extends: true,
        test: {
          ...tests("executable", ["test/binary/**/*.test.ts", ...ofExecutable], notOfExecutable),
          globalSetup: "test/executable/setup.ts",
          env: { TEST_EXECUTABLE: `single/zulipctl${process.platform === "win32" ? ".exe" : ""}` },
        },
      },
    ],
  },
});
