/** A plan that was applied in part is finished after the command that resumes it. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { answer, testWorld } from "../world.ts";

const file = "channels: [{name: design, description: x}]\n";

test.each([
  ["org apply org.yaml", true],
  ["org apply org.yaml", false],
  ["users offboard adam@sandbox.example --to cora@sandbox.example", true],
])("%s without an answer (applied: %s)", async (line, isApplied) => {
  const sandbox = fresh();
  const [files, logs] = [new Map([["org.yaml", file]]), new Map<string, string>()];
  const zulipctl = async (words: string, isLost = false) => {
    const http: Http = async (request) => {
      if (!isLost || !["PATCH", "DELETE"].includes(request.method)) return sandbox.handle(request);
      return isApplied ? { ...(await sandbox.handle(request)), status: 502 } : answer(502, "");
    };
    const world = testWorld({ http, env: credentials(sandbox), files, logs });
    return { code: await main(words.split(" "), world), out: world.stdout.text, err: world.stderr.text };
  };
  const states = async () => (await zulipctl("batch list --fields state -o tsv")).out.split("\n").slice(1, -1);
  expect((await zulipctl(`${line} --yes`, true)).code).toBe(7);
  expect(await states()).toEqual(["unfinished"]);
  const [verb, operand] = [line.split(" ").slice(0, 2).join(" "), line.split(" ").slice(2).join(" ")];
  const again = await zulipctl(`${verb} --yes --quiet ${operand}`);
  expect(again.code, again.err).toBe(0);
  expect(new Set(await states())).toEqual(new Set(["finished"]));
});

test.each(["org apply org.yaml", "users offboard mona@sandbox.example", "undo"])(
  "%s that cannot read again says so, and ends with the result of its changes",
  async (line) => {
    const sandbox = fresh();
    const [files, logs] = [new Map([["org.yaml", file]]), new Map<string, string>()];
    const zulipctl = async (words: string, isCut = false) => {
      let sent = 0;
      const http: Http = async (request) => {
        if (/PATCH|DELETE/.test(request.method) && !request.url.endsWith("/events")) sent++;
        else if (isCut && sent) return answer(502, "");
        return sandbox.handle(request);
      };
      const world = testWorld({ http, env: credentials(sandbox), files, logs });
      return { code: await main(words.split(" "), world), err: world.stderr.text };
    };
    expect((await zulipctl("channel update design --description y")).code).toBe(0);
    expect(await zulipctl(`${line} --yes --quiet`, true)).toEqual({
      code: 0,
      err: "zulipctl: cannot read the current state: chat.example answered 502 with an empty answer\n",
    });
  },
);
