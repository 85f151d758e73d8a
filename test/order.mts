/** What takes long begins first, so that no worker is left alone with it at the end; a clean checkout remembers no durations. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = join(import.meta.dirname, "..");

/** From eight seconds up, by how long they take. Those that wait for processes and those that compute come out mixed. */
const long = [
  "test/binary/locks.test.ts",
  "test/simulation/simulation.test.ts",
  "test/terminal/waiting.test.ts",
  "test/cli/names-in-shells.test.ts",
  "test/binary/dying.test.ts",
  "test/terminal/every-wait.test.ts",
  "test/binary/download.test.ts",
  "test/safety/secrets.test.ts",
  "test/safety/fuzz.test.ts",
  "test/binary/accounts.test.ts",
  "test/kill/kill.test.ts",
  "test/batch/data.test.ts",
  "test/safety/matrix.test.ts",
  "test/binary/pace.test.ts",
  "test/binary/inputs.test.ts",
  "test/batch/terminal.test.ts",
  "test/binary/errors.test.ts",
  "test/safety/names.test.ts",
  "test/binary/incomplete.test.ts",
  "test/terminal/download.test.ts",
  "test/binary/huge.test.ts",
  "test/sandbox/wide.test.ts",
  "test/cli/fields.test.ts",
  "test/client/rate-limiter.test.ts",
  "test/cli/program.test.ts",
  "test/notation/long.test.ts",
  "test/binary/signals.test.ts",
  "test/binary/streams.test.ts",
  "test/batch/hangup.test.ts",
  "test/terminal/tables.test.ts",
];
const gone = long.filter((path) => !existsSync(join(root, path)));
if (gone.length) throw new Error(`test/order.mts names tests that are not there: ${gone.join(", ")}`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.indexOf(relative(root, moduleId).replaceAll("\\", "/"));
  return at < 0 ? long.length : at;
};

export class LongFirst extends BaseSequencer {
  /** All of one project together: a worker starts anew where the next file is another project's. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = ({ project }: TestSpecification) => (project.name === "source" ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => project(a) - project(b) || rank(a) - rank(b));
  }
}
