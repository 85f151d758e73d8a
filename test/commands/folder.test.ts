import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

test("folder unarchive takes the archived folder, even if a live one has the name", async () => {
  const sandbox = fresh();
  const { folders } = sandbox.state;
  folders.set(3, { ...folders.get(1)!, id: 3, name: "past" });
  const { sent } = await zulipctl(["folder", "unarchive", "past"], { sandbox });
  expect(sent.at(-1)).toMatchObject({
    url: "https://chat.example/api/v1/channel_folders/2",
    body: "is_archived=false",
  });
  folders.set(4, { ...folders.get(2)!, id: 4, name: "Past", is_archived: true });
  folders.get(2)!.is_archived = true;
  expect(await zulipctl(["folder", "unarchive", "Past"], { sandbox })).toMatchObject({
    code: 2,
    err:
      'zulipctl: <folder>: "Past" matches several folders: Past (2, archived), Past (4, archived)\n' +
      "Pass the id of the one you mean.\n",
  });
});
