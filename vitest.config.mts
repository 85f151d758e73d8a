import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { fromTheBuild } from "./test/built.mts";

/** Slow by nature: they kill, wait, download, start a browser, or try thousands of cases. Only `.ci/run` and `npm run slow` run them. */
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
  "test/binary/{download,huge,incomplete,locks,old-node-installed,pace}.test.ts",
  "test/terminal/every-wait.test.ts",
  "test/batch/{hangup,terminal}.test.ts",
];

/** Each verb. `npm test` runs it on the build, and `npm run slow` on the source. */
const verbs = ["test/commands/cases.test.ts", "test/documentation.test.ts"];

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
  "test/commands/undo-cost.test.ts",
  "test/effects/walk.test.ts",
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
 * for short-lived objects saves copying them. Other threads of a worker have no core of their own. Newer versions of Node
 * choose the moment to compile by themselves.
 */
const v8Flags = [
  "--always-sparkplug",
  "--no-flush-bytecode",
  "--single-threaded-gc",
  "--min-semi-space-size=32",
  "--max-semi-space-size=64",
];
if (process.versions.node.startsWith("20.")) v8Flags.push("--interrupt-budget=1000000");

/** In this order, before all others. */
const first = [
  // They take longest and wait, so they begin at different times.
  /^test\/(action|binary\/(audit|packed))/,
  /^test\/binary\/(compiled|inputs|secrets|unattended)\./,
  // It computes while the others wait.
  /^test\/effects\/walk\./,
  // Starting a process copies the tables of this one's memory, which grows with each file: up to 20 ms.
  /^test\/(binary|executable|keychain|packaging|terminal)\//,
  // One that takes long would run alone at the end.
  /^test\/(transcripts|commands\/(cases|org\/sections|org\/pairs)|watch\/following)\.test\.ts$/,
];

class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = first.findIndex((pattern) => pattern.test(relative(root, moduleId).replaceAll("\\", "/")));
      return rank < 0 ? first.length : rank;
    };
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((each) =>
      sorted.filter(({ project }) => project === each).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}

/** About the package of npm, or what Node loads and refuses. They start no executable. */
const notOfExecutable = ["test/binary/{loaded,notices,old-node,old-node-installed,packed,sbom}.test.ts"];
const ofExecutable = ["test/executable/**/*.test.ts"];

const tests = (name: string, include: string[], exclude: string[] = []) => ({ name, include, exclude });
const all = "test/**/*.test.ts";
const globalSetup = "test/build.ts";
/** Whether this run names a project: `--project quick` or `--project=quick`. */
const isNamed = (project: string) => new RegExp(` --project[ =]${project}( |$)`).test(process.argv.join(" "));
/** All its tests are in others too, so only a run that names it has it. */
const quick: TestProjectConfiguration[] = isNamed("quick")
  ? [{ extends: true, test: tests("quick", [all], notQuick) }]
  : [];
const notOfSource = [...slow, ...ofExecutable];

export default defineConfig({
  test: {
    // Otherwise a style sheet that is imported as text is empty.
    css: true,
    // Tests leave nothing behind in their process, so the files of one worker share the program's modules.
    isolate: false,
    execArgv: v8Flags,
    sequence: { sequencer: Sequencer },
    // Many tests wait for other processes, and for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", "json"] : ["default"],
    outputFile: { json: "coverage/tests.json" },
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary"] },
    projects: [
      ...quick,
      { extends: true, test: { ...tests("source", [all], notOfSource), globalSetup } },
      // What ships, and 15 % faster than the source.
      { extends: true, plugins: [fromTheBuild()], test: { ...tests("built", [all], notOfSource), globalSetup } },
      { extends: true, test: { ...tests("slow", [...slow, ...verbs]), globalSetup } },
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
