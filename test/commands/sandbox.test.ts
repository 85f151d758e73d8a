import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import type { EmbeddedSetup } from "../../src/world/embedded.ts";
import type { EmbeddedServer } from "../../src/world/world.ts";
import { type Setup, testWorld } from "../world.ts";

const description = JSON.stringify({
  users: [{ key: "ida", full_name: "Ida Ito", email: "ida@example.org", role: 100 }],
});

/** Runs a command until its first output, then presses Ctrl-C. */
async function run(argv: string[], setup: Setup = {}) {
  const world = testWorld(setup);
  const setups: EmbeddedSetup[] = [];
  const servers: (EmbeddedServer & { closed: boolean })[] = [];
  const { embed } = world;
  world.embed = async (setup) => {
    setups.push(setup);
    const embedded = await embed(setup);
    const server = {
      ...embedded,
      closed: false,
      close: async () => {
        await embedded.close();
        server.closed = true;
      },
    };
    servers.push(server);
    return server;
  };
  const { write } = world.stdout;
  world.stdout.write = async (...chunks) => {
    await write.apply(world.stdout, chunks);
    world.interrupt(new Interrupted("SIGINT"));
  };
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, setups, servers };
}

test("start --json prints one line with everything, and ends with 0 on Ctrl-C", async () => {
  const { code, out, err, servers } = await run(["sandbox", "start", "--json"], { terminal: true });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.endsWith("\n") && out.indexOf("\n") === out.length - 1).toBe(true);
  const line = JSON.parse(out);
  expect(line).toEqual(servers[0]!.info);
  expect(Object.keys(line)).toEqual([
    "site",
    "feature_level",
    "zulip_version",
    "users",
    "channels",
    "groups",
    "attachments",
    "messages",
  ]);
  expect(line.feature_level).toBe(500);
  expect(servers[0]!.closed).toBe(true);
});

test("start prints how to reach the sandbox, with the key of an owner", async () => {
  const { out, servers } = await run(["sandbox", "start"]);
  const { site, users } = servers[0]!.info;
  const lines = out.split("\n");
  expect(lines.slice(0, 2)).toEqual([
    `The sandbox is ready: ${site}`,
    "Its feature level is 500 (Zulip 12.3). It keeps nothing. Stop it with Ctrl-C.",
  ]);
  const exported = `export ZULIP_SITE=${site} ZULIP_EMAIL=${users[0]!.email} ZULIP_API_KEY=${users[0]!.api_key} ZULIPCTL_SANDBOX=${site}`;
  expect(lines.slice(-5)).toEqual(["In another terminal:", "", exported, "zulipctl users list", ""]);
  for (const { email, password, api_key, is_bot } of users) {
    expect(out).toMatch(new RegExp(is_bot ? `^${email} +bot$` : `^${email} +\\w+ +${password}`, "m"));
    expect(out).toMatch(new RegExp(`^${email} +${api_key}$`, "m"));
  }
  for (const line of lines.filter((line) => line !== exported)) expect(line.length).toBeLessThanOrEqual(80);
});

test("flags describe the server", async () => {
  const files = new Map([["world.json", description]]);
  const flags = ["--world", "world.json", "--users", "2", "--no-rate-limits", "--feature-level", "371"];
  const faults = ["--fault", "502:op=users.list,times=1", "--fault", "latency:ms=5"];
  const { code, out, err, setups } = await run(["sandbox", "start", "--json", ...flags, ...faults], { files });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(setups).toEqual([
    {
      port: 0,
      level: 371,
      rateLimits: false,
      users: 2,
      world: { file: "world.json", text: description },
      faults: ["502:op=users.list,times=1", "latency:ms=5"],
    },
  ]);
  const { feature_level, users } = JSON.parse(out);
  expect(feature_level).toBe(371);
  expect(users.map(({ email }: { email: string }) => email)).toEqual([
    "ida@example.org",
    "crowd1@sandbox.example",
    "crowd2@sandbox.example",
  ]);
});

test.each([
  [["--port", "0"], 'invalid --port "0": must be a whole number of at least 1'],
  [["--port", "65536"], 'invalid --port "65536": must be at most 65535'],
  [["--users", "many"], 'invalid --users "many": must be a whole number'],
  [["--world", "none.json"], "--world: file not found: none.json"],
  [["--world", "world.json"], "--world: world.json: users: must name somebody"],
  [["--fault", "lightning"], '--fault lightning: unknown fault "lightning"'],
])("start %j is a usage error", async (flags, message) => {
  const files = new Map([["world.json", '{"users":[]}']]);
  const { code, out, err } = await run(["sandbox", "start", ...flags], { files });
  expect({ code, out, first: err.split("\n")[0] }).toEqual({ code: 2, out: "", first: `zulipctl: ${message}` });
});

test("start rejects a port that is in use", async () => {
  const other = await testWorld().embed({ port: 0, rateLimits: true, users: 0, faults: [] });
  const { port } = new URL(other.info.site);
  const { code, err } = await run(["sandbox", "start", "--port", port]);
  await other.close();
  expect({ code, err }).toEqual({ code: 2, err: `zulipctl: --port ${port} is in use by another program\n` });
});

test("start uses the port", async () => {
  const free = await testWorld().embed({ port: 0, rateLimits: true, users: 0, faults: [] });
  await free.close();
  const { port } = new URL(free.info.site);
  expect(JSON.parse((await run(["sandbox", "start", "--json", "--port", port])).out).site).toBe(free.info.site);
});

test("exec passes only an owner's credentials to a program, and ends with its code", async () => {
  const hosted: { argv: readonly string[]; env: Record<string, string | undefined> }[] = [];
  const env = {
    PATH: "/bin",
    ZULIP_SITE: "https://live.example",
    ZULIP_API_KEY_FILE: "/live/key",
    ZULIP_CONFIG: "/live/zuliprc",
    ZULIPCTL_PROFILE: "live",
    ZULIPCTL_CONFIG_DIR: "/config",
    NO_PROXY: "intranet",
  };
  const { code, out, err, setups, servers } = await run(
    ["sandbox", "exec", "--users", "1", "--", "program", "--json", "-v"],
    {
      env,
      runWithStreams: async (argv, env) => {
        hosted.push({ argv, env });
        return 9;
      },
    },
  );
  const { site, users } = servers[0]!.info;
  expect({ code, out, err }).toEqual({ code: 9, out: "", err: "" });
  expect(hosted).toEqual([
    {
      argv: ["program", "--json", "-v"],
      env: {
        PATH: "/bin",
        ZULIPCTL_CONFIG_DIR: "/config",
        NO_PROXY: "intranet,127.0.0.1",
        no_proxy: "intranet,127.0.0.1",
        ZULIP_SITE: site,
        ZULIP_EMAIL: "iris@sandbox.example",
        ZULIP_API_KEY: users[0]!.api_key,
        ZULIPCTL_SANDBOX: site,
        ZULIPCTL_STATE_DIR: "/temporary",
      },
    },
  ]);
  expect(setups[0]).toMatchObject({ port: 0, users: 1, rateLimits: true });
  expect(servers[0]!.closed).toBe(true);
});

test("exec rejects a program that does not exist", async () => {
  const runWithStreams = () => Promise.reject(Object.assign(new Error("spawn"), { code: "ENOENT" }));
  const { code, err, servers } = await run(["sandbox", "exec", "--", "nosuch"], { runWithStreams });
  expect({ code, err }).toEqual({ code: 2, err: "zulipctl: program not found: nosuch\n" });
  expect(servers[0]!.closed).toBe(true);
});

test("start makes random passwords without --fixed-passwords", async () => {
  const passwords = async (...flags: string[]) => {
    const { out } = await run(["sandbox", "start", "--json", ...flags]);
    return JSON.parse(out).users.flatMap(({ password }: { password: string }) => password || []);
  };
  const fixed = await passwords("--fixed-passwords");
  expect(fixed).toContain("iris-sandbox-password");
  const random = await passwords();
  expect(random).toHaveLength(fixed.length);
  for (const password of random) expect(password).toMatch(/^\w{20}$/);
});

test("start quotes values to paste", async () => {
  const text = description.replace("ida@example.org", "ida$(id)@example.org");
  const { out } = await run(["sandbox", "start", "--world", "world.json"], {
    files: new Map([["world.json", text]]),
  });
  expect(out).toContain(" ZULIP_EMAIL='ida$(id)@example.org' ");
});
