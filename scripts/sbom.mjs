// The bill of materials of the package, as CycloneDX, on stdout: `npm run --silent sbom > zulipctl.cdx.json`, after a build.
// For npm bundled packages are development tools. The build knows which ones are bundled.
// SOURCE_DATE_EPOCH sets its time, in seconds. Without it there is none, so that the same source gives the same bill.
import "./node-version.cjs";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const { name: own, version } = read("package.json");

/** Software inside packages that npm does not know. Its notices are in scripts/notices. */
const within = {
  "jq-web": [
    { name: "jq", license: "MIT" },
    { name: "Oniguruma", license: "BSD-2-Clause" },
  ],
  undici: [{ name: "llhttp", license: "MIT" }],
};

const argv = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
// On Windows npm is a batch file, which needs a shell. No word here needs quoting.
const options = { encoding: "utf8", maxBuffer: 2 ** 26, shell: process.platform === "win32" };
const all = JSON.parse(execFileSync("npm", argv, options));
const bundled = new Set(
  read("dist/parts.json").bundled.map((directory) => {
    const { name, version } = read(join(directory, "package.json"));
    return `${name}@${version}`;
  }),
);
const development = ({ properties }) => properties.some(({ name }) => name === "cdx:npm:package:development");

const components = all.components
  // npm installs packages that are not development tools, if the machine allows it.
  .filter((component) => bundled.has(component["bom-ref"]) || !development(component))
  .map((component) => {
    const inside = bundled.has(component["bom-ref"]);
    return {
      ...component,
      scope: inside ? "required" : "optional",
      properties: [{ name: "zulipctl:delivery", value: inside ? "bundled" : "installed by npm where it can be" }],
      components: within[component.name]?.map(({ name, license }) => ({
        "bom-ref": `${component["bom-ref"]}/${name}`,
        type: "library",
        name,
        licenses: [{ license: { id: license } }],
      })),
    };
  });
const refs = new Set(components.map((component) => component["bom-ref"]));
const missing = [...bundled].filter((ref) => !refs.has(ref));
if (missing.length) throw new Error(`bundled, but not in the lockfile: ${missing.join(", ")}`);

const root = `${own}@${version}`;
const dependencies = all.dependencies
  .filter(({ ref }) => ref === root || refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
const { component, tools } = all.metadata;
const epoch = process.env.SOURCE_DATE_EPOCH;
const hash = createHash("sha256")
  .update(JSON.stringify([root, components]))
  .digest("hex");
const uuid = [
  hash.slice(0, 8),
  hash.slice(8, 12),
  `8${hash.slice(13, 16)}`,
  `8${hash.slice(17, 20)}`,
  hash.slice(20, 32),
];

console.log(
  JSON.stringify(
    {
      $schema: all.$schema,
      bomFormat: all.bomFormat,
      specVersion: all.specVersion,
      serialNumber: `urn:uuid:${uuid.join("-")}`,
      version: 1,
      metadata: {
        ...(epoch && { timestamp: new Date(Number(epoch) * 1000).toISOString() }),
        lifecycles: [{ phase: "build" }],
        tools,
        component: { ...component, name: own, type: "application" },
      },
      components,
      dependencies,
    },
    undefined,
    2,
  ),
);
