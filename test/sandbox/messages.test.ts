/** The flags of a message for those who receive it. */
import { expect, test } from "vitest";
import { readWorld } from "../../src/sandbox/world-file.ts";
import { sandboxOf, sendRequest } from "./client.ts";

const person = (key: string, full_name: string, role: number) => ({ key, full_name, role, email: `${key}@x.example` });

const world = (messages: { topic: string; sender: string; content: string; channel?: string }[]) =>
  readWorld(
    JSON.stringify({
      web_public: true,
      users: [person("ann", "Ann Abel", 100), person("bob", "Bob Brandt", 400), person("cy", "Cy Cole", 400)],
      channels: [
        { name: "open", subscribers: ["ann", "bob"] },
        { name: "past", privacy: "web", archived: true, subscribers: ["ann"] },
        { name: "world", privacy: "web", subscribers: ["ann"] },
      ],
      groups: [{ name: "crew", members: ["bob"] }],
      messages: messages.map((each) => ({ channel: "open", ...each })),
    }),
  );

/** Returns the indexes of the messages that match for the account. */
async function matching(as: string, messages: Parameters<typeof world>[0], operator: string, operand: string) {
  const sandbox = sandboxOf({ world: world(messages), level: 371 });
  const ids = sandbox.info().messages.map(({ id }) => id);
  const query = { msg_ids: JSON.stringify(ids), narrow: JSON.stringify([{ operator, operand }]) };
  const { body } = await sendRequest(sandbox, "GET", "/messages/matches_narrow", { as, query });
  return Object.keys(body.messages).map((id) => ids.indexOf(Number(id)));
}

test("people follow topics that they start and topics that mention their name", async () => {
  const messages = [
    { topic: "a", sender: "ann", content: "hello" },
    { topic: "b", sender: "ann", content: "look, @**bob brandt**" },
    { topic: "c", sender: "ann", content: "@**all** @_**Bob Brandt** `@**Bob Brandt**` @*crew*" },
    { topic: "d", sender: "ann", content: "not here, @**Cy Cole**" },
  ];
  expect(await matching("ann", messages, "is", "followed")).toEqual([0, 1, 2, 3]);
  expect(await matching("bob", messages, "is", "followed")).toEqual([1]);
  expect(await matching("cy", messages, "is", "followed")).toEqual([]);
});

test("flags mentions of people, groups, everybody, and people who wrote in the topic", async () => {
  const messages = [
    { topic: "a", sender: "ann", content: "@**Bob Brandt**" },
    { topic: "a", sender: "ann", content: "@_**Bob Brandt** and `@**Bob Brandt**`" },
    { topic: "a", sender: "ann", content: "@*crew*" },
    { topic: "a", sender: "ann", content: "@**all**" },
    { topic: "a", sender: "ann", content: "@**topic**" },
    { topic: "a", sender: "bob", content: "me too" },
    { topic: "A", sender: "ann", content: "@**topic**" },
  ];
  expect(await matching("bob", messages, "is", "mentioned")).toEqual([0, 2, 3, 6]);
  expect(await matching("ann", messages, "is", "mentioned")).toEqual([3, 4, 6]);
});
