import { describe, expect, test } from "vitest";
import { printRequests, type ShownRequest } from "../../src/output/shown-requests.ts";
import { place } from "./world.ts";

const plan: ShownRequest[] = [
  {
    operation: "channel.update",
    method: "PATCH",
    url: "https://chat.example/api/v1/streams/7",
    parameters: { description: "a\u001b[1m", folder_id: null, is_private: true },
    body: "description=a%1B%5B1m&folder_id=null&is_private=true",
  },
  {
    operation: "users.list",
    method: "GET",
    url: "https://chat.example/api/v1/users?user_ids=%5B8%5D",
    parameters: { user_ids: [8] },
  },
];

const planned = async (
  form: Parameters<typeof printRequests>[1]["form"],
  jq?: string,
  world = place(),
  exact?: boolean,
) => {
  await printRequests(plan, { form, jq, color: "auto" }, world, { exact });
  return world.stdout.text;
};

describe("a dry run", () => {
  test("is an array of requests with -o json", async () => {
    const text = await planned("json");
    expect(JSON.parse(text)).toEqual(plan);
    expect(Object.keys(JSON.parse(text)[0])).toEqual(["operation", "method", "url", "parameters", "body"]);
    expect(Object.keys(JSON.parse(text)[1])).toEqual(["operation", "method", "url", "parameters"]);
  });

  const words =
    "PATCH https://chat.example/api/v1/streams/7  channel.update\n" +
    '  description = "a\\u001b[1m"\n  folder_id = null\n  is_private = true\n' +
    "GET https://chat.example/api/v1/users  users.list\n" +
    "  user_ids = [8]\n";

  test.each(["table", "csv"] as const)("is text as %s", async (form) => expect(await planned(form)).toBe(words));

  test("shows the encoded request if it is requested", async () => {
    expect(await planned("table", undefined, place(), true)).toBe(
      words
        .replace("\nGET", "\n  body: description=a%1B%5B1m&folder_id=null&is_private=true\nGET")
        .replace("users  users.list", "users?user_ids=%5B8%5D  users.list"),
    );
  });

  test("shows the words for parameters, without escape sequences", async () => {
    const world = place();
    const inWords: [string, string][] = [["folder_id", "3 (Pro\u001b[1mjects\n)"]];
    await printRequests([{ ...plan[0]!, inWords }], { form: "table", color: "auto" }, world);
    expect(world.stdout.text).toBe(
      "PATCH https://chat.example/api/v1/streams/7  channel.update\n  folder_id = 3 (Projects )\n",
    );
    const json = place();
    await printRequests([{ ...plan[0]!, inWords }], { form: "json", color: "auto" }, json);
    expect(JSON.parse(json.stdout.text)).toEqual([plan[0]]);
  });
});
