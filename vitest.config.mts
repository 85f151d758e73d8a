import { defineConfig } from "vitest/config";
import { fromTheBuild } from "./test/built.mts";

export default defineConfig({
  test: {
    globalSetup: "test/build.ts",
    // Many tests wait for other processes: one worker less than there are cores leaves a machine of two half idle.
    maxWorkers: "100%",
    testTimeout: 30_000,
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
