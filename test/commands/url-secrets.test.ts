/** Nothing that is kept or shown to others has the secrets of URLs. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const run = async (argv: readonly string[], input = "") => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), input, logs, files });
    const code = await main([...argv, "--yes"], world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  /** What was written, without the input. */
  const kept = () => [...files, ...logs].filter(([name]) => name !== "o.yaml");
  return { sandbox, files, logs, run, kept };
}

const fileOf = (name: string, secret: string) => `playgrounds:
  - name: ${name}
    pygments_language: ${name}
    url_template: https://u:${secret}@p.example/?token=${secret}&c={code}
`;

const expectNone = (texts: readonly (readonly [string, string])[]) => {
  for (const [name, text] of texts) expect(text, name).not.toMatch(/S3CRET/);
};

test("journals and logs of batches, api calls too", async () => {
  const { run, kept } = organization();
  const rows = [
    "api POST bots -f full_name=B -f short_name=b -f bot_type=3 -f interface_type=1 -F 'payload_url=\"https://u:S3CRET@h.example/?token=S3CRET\"'",
    `api PATCH bots/4 -F 'config_data={"api":"S3CRET"}'`,
    "playground add Rust Rust https://p.example/?token=S3CRET&c={code}",
  ];
  const { code, err } = await run(["batch", "-", "--format", "lines"], `${rows.join("\n")}\n`);
  expect([0, 5], err).toContain(code);
  expect(kept().some(([, text]) => text.startsWith('{"journal":"zulipctl batch"'))).toBe(true);
  expect(kept().some(([, text]) => text.includes("token=[secret]"))).toBe(true);
  expectNone(kept());
});

test.each([[[]], [["-o", "markdown"]], [["-o", "json"]], [["-o", "yaml"]]])("plans: %s", async (form) => {
  const { run, files } = organization();
  files.set("o.yaml", fileOf("Rust", "S3CRET"));
  const { code, out } = await run(["org", "plan", "o.yaml", ...form]);
  expect(code).toBe(0);
  expect(out).toContain("https://[secret]@p.example/?token=[secret]&c={code}");
  expectNone([["plan", out]]);
});

test("org apply, which sends the secret", async () => {
  const { sandbox, run, files, kept } = organization();
  files.set("o.yaml", fileOf("Rust", "S3CRET"));
  const { code, err } = await run(["org", "apply", "o.yaml"]);
  expect(code, err).toBe(0);
  expect([...sandbox.state.playgrounds.values()].map(({ url_template }) => url_template)).toEqual([
    "https://u:S3CRET@p.example/?token=S3CRET&c={code}",
  ]);
  expectNone([...kept(), ["stderr", err]]);
});

test("kept plans, which are not applied then", async () => {
  const { sandbox, run, files, kept } = organization();
  files.set("o.yaml", fileOf("Rust", "S3CRET"));
  expect((await run(["org", "plan", "o.yaml", "--out", "plan.json"])).code).toBe(0);
  expect(files.get("plan.json")).toContain("token=[secret]");
  expectNone(kept());
  const { code, err } = await run(["org", "apply", "plan.json"]);
  expect(code, err).toBe(2);
  expect(err).toContain("plans do not keep secrets\nApply the files instead.\n");
  expect([...sandbox.state.playgrounds.values()]).toEqual([]);
});

test("plans of undo", async () => {
  const { run } = organization();
  await run(["settings", "update", "jitsi_server_url=https://j.example"]);
  await run(["settings", "update", "jitsi_server_url=https://j.example/?token=S3CRET"]);
  const { code, err } = await run(["undo"]);
  expect(code, err).toBe(0);
  expect(err).toContain("https://j.example/?token=[secret]");
  expectNone([["plan", err]]);
});

test("a text that has the word for secrets is no secret", async () => {
  const { run, sandbox } = organization();
  await run(["channel", "update", "design", "--description", "write [secret] here", "--no-record"]);
  await run(["channel", "update", "design", "--description", "x"]);
  expect((await run(["undo"])).code).toBe(0);
  expect([...sandbox.state.channels.values()].find(({ name }) => name === "design")?.description).toBe(
    "write [secret] here",
  );
});
