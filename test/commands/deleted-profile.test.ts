/** A running server of level 468 renames an account whose profile it deletes, and reactivates it. */
import { expect, test } from "vitest";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

test("undo reactivates an account without its profile below level 490, and says that its name is gone", async () => {
  const sandbox = fresh({ level: 468 });
  const otis = sandbox.state.users.get(12)!;
  const http: Http = (request) => {
    if (request.method !== "DELETE" || !request.url.includes("/users/12")) return sandbox.handle(request);
    otis.is_active = false;
    otis.full_name = "Deleted user";
    return Promise.resolve(answer(200, { result: "success", msg: "" }));
  };
  const files = new Map<string, string>();
  const logs = new Map<string, string>();
  const run = (...argv: string[]) => zulipctl(argv, { sandbox, http, files, logs, env: credentials(sandbox) });

  expect(await run("users", "deactivate", "12", "--delete", "profile", "--yes")).toMatchObject({ code: 0 });
  const { err } = await run("undo", "--yes");
  expect(err).toContain(
    "~ person Deleted user: reactivated\n" +
      "    invitations that were revoked, and logins, do not come back\n" +
      '    the old name does not come back: zulipctl users update 12 --full-name "…"\n',
  );
  expect({ active: otis.is_active, name: otis.full_name }).toEqual({ active: true, name: "Deleted user" });
});
