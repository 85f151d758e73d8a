/** Servers that report ignored parameters of requests that have none. */
import { expect, test } from "vitest";
import { hostile, success } from "./hostile-server.ts";
import { environment, zulipctl } from "./program.ts";

const settings = success({
  zulip_version: "11.0",
  zulip_feature_level: 400,
  ignored_parameters_unsupported: ["client_gravatar"],
});
const folder = success({ channel_folder_id: 7 });

test("a command that asks for the feature level continues", async () => {
  const { env, asked } = await hostile((socket, _, request) =>
    socket.write(request.startsWith("GET") ? settings : folder),
  );
  const ended = await zulipctl(["folder", "create", "Teams"], { env: { ...environment(), ...env } });
  expect(ended).toMatchObject({ code: 0, out: "Created folder 7.\n", err: "" });
  expect(asked).toEqual(["GET /api/v1/server_settings", "POST /api/v1/channel_folders/create"]);
});

test.each([
  [[], 5],
  [["--allow-ignored"], 0],
])("server info %j reports it and exits with %i", async (flags, code) => {
  const { env, site } = await hostile((socket) => socket.write(settings));
  const ended = await zulipctl(["server", "info", "-o", "none", ...flags], { env: { ...environment(), ...env } });
  expect(ended.code).toBe(code);
  expect(ended.err.split("\n")[0]).toBe(
    `zulipctl: ${new URL(site).host} (feature level 400) ignored client_gravatar: that part was not applied`,
  );
});
