/** Names of people where an organization has them all differ. */
import { expect, test } from "vitest";
import { fresh } from "../run.ts";
import { ask } from "./asking.ts";

const taken = "Unique names required in this organization.";

test.each<[what: string, name: string, said: string | undefined]>([
  ["somebody else's in another case", "OTIS member", taken],
  ["one of other letters that are the same", "Ｏtis Member", taken],
  ["one with ß for ss", "Groß", taken],
  ["that of somebody who is deactivated", "Dora Departed", taken],
  ["a bot's", "Beep Bot", taken],
  ["one's own in another case", "CORA Member", undefined],
  ["one that nobody has", "Cora", undefined],
])("a name that is %s", async (_, name, said) => {
  const sandbox = fresh();
  sandbox.state.organization.settings.require_unique_names = true;
  sandbox.state.users.get(13)!.full_name = "GROSS";
  const { body } = await ask(sandbox, "PATCH", "/users/11", { as: "iris", form: { full_name: name } });
  expect(body.msg || undefined).toBe(said);
});

test("names may be the same where nothing is said of them", async () => {
  const { body } = await ask(fresh(), "PATCH", "/users/11", { as: "iris", form: { full_name: "Otis Member" } });
  expect(body.result).toBe("success");
});
