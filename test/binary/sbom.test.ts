/** The bill of materials lists what ships, in a standard format. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, run } from "./program.ts";

interface Component {
  "bom-ref": string;
  name: string;
  version: string;
  scope: string;
  licenses?: { license: { id?: string; name?: string }; expression?: string }[];
  components?: Component[];
}

interface Bill {
  metadata: { component: Component; timestamp?: string };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

async function bill(more: Record<string, string> = {}): Promise<string> {
  const { code, out, err } = await run([process.execPath, "scripts/sbom.mjs"], {
    env: { ...environment(directory()), ...more },
    cwd: process.cwd(),
  });
  expect({ code, err: code ? err : "" }).toEqual({ code: 0, err: "" });
  return out;
}

// Its types refer to packages that are not installed.
const { JsonStrictValidator } = createRequire(import.meta.url)("@cyclonedx/cyclonedx-library/Validation") as {
  JsonStrictValidator: new (version: string) => { validate(text: string): Promise<unknown> };
};

test("the bill of materials lists exactly the bundled packages and the installed dependencies", async () => {
  const [text, again] = await Promise.all([bill(), bill({ SOURCE_DATE_EPOCH: "1768478400" })]);
  for (const each of [text, again]) expect(await new JsonStrictValidator("1.5").validate(each)).toBeNull();
  expect(await new JsonStrictValidator("1.5").validate(text.replace('"library"', '"shelf"'))).not.toBeNull();
  const { components, dependencies, metadata } = JSON.parse(text) as Bill;
  const same = JSON.parse(again) as Bill;
  expect(same.metadata.timestamp).toBe("2026-01-15T12:00:00.000Z");
  delete same.metadata.timestamp;
  expect(same).toEqual(JSON.parse(text));

  const { name, version, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(metadata.component).toMatchObject({ name, version, type: "application" });
  const named = (scope: string) =>
    components.filter((each) => each.scope === scope).map(({ name, version }) => `${name} ${version}`);
  const notices = [...readFileSync("THIRD-PARTY-NOTICES", "utf8").matchAll(/^=+\n(.+) \(.*\)\n=+$/gm)];
  expect(named("required").sort()).toEqual(notices.map(([, heading]) => heading).sort());
  const optional = named("optional");
  for (const [name, version] of Object.entries(optionalDependencies)) expect(optional).toContain(`${name} ${version}`);
  expect(optional.filter((each) => !each.startsWith("@napi-rs/keyring"))).toEqual([]);

  // Each has a license, and something needs it.
  for (const each of components) expect({ ...each }).toMatchObject({ licenses: [expect.anything()] });
  const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(components.filter((each) => !needed.has(each["bom-ref"]))).toEqual([]);
  expect(components.find(({ name }) => name === "jq-web")?.components?.map(({ name }) => name)).toEqual([
    "jq",
    "Oniguruma",
  ]);
});
