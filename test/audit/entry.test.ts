/** Entries about folders, and what else servers log since Zulip 11. The rows are written by hand. */
import { expect, test } from "vitest";
import { auditLines } from "../../src/audit/audit-lines.ts";
import { logChange } from "../../src/audit/entry.ts";
import { Names } from "../../src/audit/name-history.ts";
import { readLogRow } from "../../src/audit/rows.ts";

const names = new Names();
names.add("channel", { id: 4, name: "design" });
names.add("folder", { id: 1, name: "Projects" });
names.add("folder", { id: 3, name: "Games" });
names.add("group", { id: 17, name: "writers" });
names.addPerson({
  ...{ id: 9, full_name: "Ada", delivery_email: "ada@example.com", role: 200 },
  is_active: true,
  is_bot: false,
  date_joined: 0,
});

const line = (event_type: number, row: object): string => {
  const change = logChange(
    readLogRow({ id: 1, event_time: 0, event_type, acting_user: 9, extra_data: {}, ...row }),
    names,
  );
  return [...auditLines(change ? [change] : [])].map(({ change }) => change).join();
};

test("puts the folder of a channel in words", () => {
  const extra_data = { "1": 1, "2": 3, property: "folder_id" };
  expect(line(609, { modified_stream: 4, extra_data })).toBe(
    "changed the folder of channel #design from Projects to Games",
  );
  expect(line(609, { modified_stream: 4, extra_data: { ...extra_data, "1": null } })).toBe(
    "changed the folder of channel #design from none to Games",
  );
});

test.each([
  [724, { modified_user_group: 17 }, "reactivated group writers"],
  [810, { modified_user: 9 }, "the server's operator sent Ada an e-mail"],
  [850, { modified_user: 9, extra_data: { fragment: "narrow/is/alerted" } }, "added a view to the left sidebar"],
  [851, { modified_user: 9 }, "changed a view in the left sidebar"],
  [852, { modified_user: 9 }, "removed a view from the left sidebar"],
  [901, { modified_channel_folder: 3 }, "created folder Games"],
  [902, { modified_channel_folder: 3, extra_data: { "1": "Fun", "2": "Games" } }, "renamed folder Games to Games"],
  [903, { modified_channel_folder: 3 }, "changed the description of folder Games"],
  [904, { modified_channel_folder: 3 }, "archived folder Games"],
  [905, { modified_channel_folder: 3 }, "restored folder Games"],
])("has a sentence for event type %i", (type, row, sentence) => {
  expect(line(type, row)).toBe(sentence);
});

test("gives a folder the name of its time", () => {
  const row = readLogRow({
    id: 1,
    event_time: 0,
    event_type: 902,
    modified_channel_folder: 3,
    extra_data: { "1": "Fun", "2": "Games" },
  });
  names.replay(row, "1");
  expect(names.thing("folder", 3)).toEqual({ kind: "folder", id: 3, name: "Fun", name_now: "Games" });
  names.replay(row, "2");
  expect(names.thing("folder", 3)).toEqual({ kind: "folder", id: 3, name: "Games" });
});
