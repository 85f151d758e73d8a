/** Comparisons of an organization with a file. */
import { describe, expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { exportContent } from "../../src/organization/export.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { applyTo } from "../../src/organization/prediction.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const said = (value: unknown): Content => JSON.parse(JSON.stringify(value));

describe("an export", () => {
  test.each([507, 500, 442, 388, 371, 300, 160, 0])(
    "has no differences from its organization on level %i",
    async (level) => {
      const snapshot = await snapshotIn(fresh({ level }));
      for (const subscribers of [true, false]) {
        const content = said(exportContent(snapshot, { subscribers }).value);
        expect(compare(groupMembershipIn(snapshot), content)).toEqual({
          differences: [],
          onlyWithPrune: [],
          used: [],
          refused: [],
          deactivated: [],
          problems: [],
          notices: [],
          unmanaged: {},
        });
      }
      expect(
        compare(groupMembershipIn(applyTo(snapshot, [])), said(exportContent(snapshot, {}).value)).differences,
      ).toEqual([]);
    },
  );
});

test("counts the active things that the file does not list", async () => {
  const content = { channels: [{ name: "design" }], groups: [{ name: "writers", was: "designers" }] };
  const { unmanaged } = compare(groupMembershipIn(await snapshotIn(fresh())), content);
  const others = { profile_fields: 4, people: 6, bots: 1, groups: 1, folders: 1, channels: 5, linkifiers: 2 };
  expect(unmanaged).toEqual(others);
});

test("keeps sign-in methods that the file does not mention", async () => {
  const snapshot = await snapshotIn(fresh());
  Object.assign(snapshot.organization, {
    realm_authentication_methods: { Email: { enabled: true }, GitHub: { enabled: false }, SAML: { enabled: true } },
  });
  const { differences } = compare(groupMembershipIn(snapshot), {
    settings: { authentication_methods: { GitHub: true } },
  });
  const from = { Email: true, GitHub: false, SAML: true };
  const fields = [{ field: "authentication_methods", from, to: { ...from, GitHub: true } }];
  expect(differences).toEqual([{ section: "settings", name: "settings", action: "update", fields }]);
});

test("sends the history setting with a privacy change, which would reset it", async () => {
  const content = { channels: [{ name: "design", is_private: true, history_public_to_subscribers: true }] };
  const { differences } = compare(groupMembershipIn(await snapshotIn(fresh())), content);
  const fields = [
    { field: "is_private", from: false, to: true },
    { field: "history_public_to_subscribers", from: true, to: true },
  ];
  expect(differences).toEqual([expect.objectContaining({ fields })]);
});

test("reads permissions and channels as settings update does", async () => {
  const snapshot = await snapshotIn(fresh({ level: 442 }));
  const changed = (settings: object) => {
    const { differences, problems } = compare(groupMembershipIn(snapshot), said({ settings }));
    const fields = differences.flatMap((one) => ("fields" in one ? one.fields : []));
    return { to: fields.map(({ to }) => to), problems: problems.map(({ message }) => message) };
  };
  const written = { users: ["mona@sandbox.example", "id:9"], groups: ["makers"] };
  const { to } = changed({ can_create_groups: written });
  expect(to).toHaveLength(1);
  for (const text of [
    "user:mona@sandbox.example,user:9,group:makers",
    "user:name:Mona Moderator, user:id:9, group:@makers",
  ])
    expect(changed({ can_create_groups: text })).toEqual({ to, problems: [] });
  const channel = changed({ new_stream_announcements_stream_id: "design" });
  for (const text of ["#design", "name:design"])
    expect(changed({ new_stream_announcements_stream_id: text })).toEqual(channel);
  expect(changed({ can_create_groups: "user:mona@sandbox.example,makers" }).problems).toEqual([
    'a permission: "makers" must begin with user: or group:',
  ]);
  expect(changed({ can_create_groups: "user:me" }).problems).toEqual([
    'a permission: "me" is another account for everybody who applies the file',
  ]);
});
