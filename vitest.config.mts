import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fromTheBuild } from "./test/built.mts";
import { LongFirst } from "./test/order.mts";

export default defineConfig({
  test: {
    globalSetup: "test/build.ts",
    // Otherwise a style sheet that is imported as text is empty.
    css: true,
    // No test leaves anything behind in its process, so all that a worker runs share the program's modules.
    isolate: false,
    // Many tests wait for other processes, and for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", ["json", { outputFile: "coverage/tests.json" }]] : ["default"],
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary"] },
    projects: [
      { extends: true, test: { name: "source", include: ["test/**/*.test.ts"] } },
      {
        // What prints, once more as it ships.
        extends: true,
        plugins: [fromTheBuild()],
        test: {
          name: "built",
          include: [
            "test/output/*.test.ts",
            "test/commands/*.test.ts",
            "test/batch/batch.test.ts",
            "test/documentation.test.ts",
          ],
        },
      },
    ],
  },
});
