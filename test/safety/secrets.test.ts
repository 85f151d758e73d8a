/** No command prints or stores a secret outside its place, whatever the answer is. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { type Http, NoAnswer } from "../../src/world/world.ts";
import { everyLine, kept, type NamedLine, setup, withFlags } from "../cases/all.ts";
import { email, key, password, token } from "../cases/owner.ts";
import { answer, testWorld } from "../world.ts";

type Peer = [name: string, http: (line: NamedLine) => Http];

/** Repeats all of a request, like a careless proxy or error page. */
const echo = ({ url, headers, body }: Parameters<Http>[0]) => {
  const decoded = Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64").toString();
  return `${url} ${decodeURIComponent(url)} ${headers.authorization} ${decoded} ${body} ${decodeURIComponent(body ?? "")}`;
};
const answers =
  (make: (said: string) => ReturnType<typeof answer>): (() => Http) =>
  () =>
  async (request) =>
    make(echo(request));
const error = (status: number, code: string) =>
  answers((said) => answer(status, { result: "error", msg: said, code, extra: { said }, retry_after: 0.01 }));

const peers: Peer[] = [
  ["the server", (line) => setup(line).http],
  ["a refusal", error(400, "BAD_REQUEST")],
  ["a wrong key", error(401, "UNAUTHORIZED")],
  ["a defect", error(500, "INTERNAL")],
  [
    "a limit",
    answers((said) => answer(429, { result: "error", msg: said, code: "RATE_LIMIT_HIT", "retry-after": 500 })),
  ],
  ["a page", answers((said) => answer(200, `<html><title>${said}</title></html>`))],
  ["a bad gateway", answers((said) => answer(502, `<p>${said}</p>`))],
  ["a redirect", answers((said) => answer(302, "", { location: `https://sso.example/?${said}` }))],
  ["another shape", answers((said) => answer(200, { result: "success", msg: "", [said]: 1, id: said, members: said }))],
  [
    "ignored parameters",
    answers((said) =>
      answer(200, {
        result: "success",
        msg: "",
        id: 1,
        channel_folder_id: 1,
        ids: [1],
        ignored_parameters_unsupported: [said],
      }),
    ),
  ],
  [
    "nobody",
    () => async () => {
      throw new NoAnswer("it refused the connection", "refused", false);
    },
  ],
  [
    "silence",
    () => async () => {
      throw new NoAnswer("timed out after 30 seconds", "timeout", true);
    },
  ],
];

const secrets: Record<string, string> = {
  key,
  password,
  token,
  "credentials in base64": Buffer.from(`${email}:${key}`).toString("base64"),
  "password in a body": new URLSearchParams([["", password]]).toString().slice(1),
};

/** Files for secrets: the key file of `--store file`, and a zuliprc. */
const secretFiles = /^\/config\/keys\/|zuliprc$/;

/** The environment of each line. It is the same in every sandbox. */
const environments = new Map(everyLine.map((line) => [line, setup(line).env]));

async function run(line: NamedLine, http: Http, more: string[]) {
  let requests = 0;
  const counting: Http = (...request) => {
    requests++;
    return http(...request);
  };
  const world = testWorld({ ...kept(line), input: line.input, env: environments.get(line), http: counting });
  const started: string[] = [];
  world.run = async (argv) => {
    started.push(argv.join(" "));
    return { code: 1, stdout: "", stderr: "" };
  };
  const argv = line.argv[0] === "__complete" ? line.argv : withFlags(line.argv, more);
  const code = await main(argv, world);
  const files = [...world.files.content, ...world.files.logs].filter(([path]) => !secretFiles.test(path));
  const places: Record<string, string> = {
    stdout: world.stdout.text,
    stderr: world.stderr.text,
    configuration: JSON.stringify(world.config() ?? null),
    "programs started": started.join("\n"),
    questions: world.asked.join("\n"),
    ...Object.fromEntries(files),
  };
  return { code, places, requests };
}

const flagSets: string[][] = [
  [],
  ["--verbose"],
  ["-o", "json", "--verbose"],
  ["--dry-run"],
  ["--dry-run", "-o", "json"],
];

test("each line works, and what it works with was there to leak", async () => {
  for (const line of everyLine) {
    const { code, places } = await run(line, setup(line).http, []);
    expect({ argv: line.argv, code, err: code ? places.stderr : "" }).toEqual({ argv: line.argv, code: 0, err: "" });
    const [noun, verb = ""] = line.argv;
    if (noun === "batch" && !["list", "show", "prune"].includes(verb))
      expect(Object.keys(places).filter((place) => place.startsWith("/state/"))).not.toEqual([]);
  }
  for (const secret of [key, password, token]) expect(secret).toMatch(/^\S{16,}$/);
});

describe.each(everyLine.map((line) => [line.argv.join(" "), line] as const))("%s", (_, line) => {
  /** Flags with which the line sends nothing, so that it does the same before every peer. */
  const local = new Set<string[]>();

  test.each(peers)("says and keeps no secret before %s", async (_, http) => {
    for (const more of flagSets) {
      if (local.has(more)) continue;
      const form =
        more.includes("json") && line.argv.includes("-o") ? more.filter((word) => !/json|-o/.test(word)) : more;
      const { code, places, requests } = await run(line, http(line), form);
      if (requests === 0) local.add(more);
      expect(code).not.toBe(70);
      for (const [place, text] of Object.entries(places))
        for (const [name, secret] of Object.entries(secrets))
          if (text.includes(secret)) expect.fail(`${form.join(" ")}: ${name} in ${place}:\n${text}`);
    }
  });
});
