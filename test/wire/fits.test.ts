import { expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { fits } from "../../src/wire/fits.ts";
import {
  anything,
  boolean,
  count,
  either,
  integer,
  list,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  record,
  string,
  struct,
  type Type,
  time,
  typeError,
  word,
} from "../../src/wire/types.ts";
import fc from "../property.ts";

const types = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(
      boolean,
      integer,
      count,
      number,
      string,
      time,
      matching(/^a/, "must begin with a"),
      anything,
      word("a", "b"),
      oneOf(1, 2),
    ),
    tie("type").map(list),
    tie("type").map(nullable),
    tie("type").map(optional),
    tie("type").map(record),
    fc.tuple(tie("type"), tie("type")).map(([a, b]) => either(a, b)),
    fc.tuple(tie("type"), tie("type")).map(([a, b]) => pair(a, b)),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("type")).map((entries) => object(entries as never) as Type),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("type")).map((entries) => struct(entries as never) as Type),
  ),
})).type;

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 1, 2, 1.5, -0, -1, 1e300, "", "a", "b", "2026-01-15T12:00:00.000Z"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("fits and typeError agree for every type and value", () => {
  fc.assert(
    fc.property(types, values, (type, value) => {
      expect(fits(type)(value)).toBe(typeError(type, value) === undefined);
    }),
    { numRuns: 3000 },
  );
});

test("rejects a list with a record that has a missing member or another type", () => {
  const user = { user_id: 7, email: "a@b", full_name: "Ada", is_bot: false, role: 400, newer: [1] };
  const answers = [[], [user], [user, { ...user, role: "400" }], [{ ...user, user_id: 1.5 }], [{ user_id: 7 }], "x"];
  expect(answers.map((members) => fits(getUsers.result)({ members }))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
