import { describe, expect, test } from "vitest";
import { deleteMessage, sendMessage, updateMessage } from "../../src/api/messages.ts";
import { deleteTopic } from "../../src/api/topics.ts";
import { type Change, type ChangeResult, change } from "../../src/engine/change.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { EngineOptions } from "../../src/engine/engine-options.ts";
import type { Transport } from "../../src/engine/transport.ts";
import { Refused } from "../../src/errors.ts";
import { testWorld } from "../world.ts";
import { done, noAnswer, outcomes } from "./transport.ts";

interface StoredMessage {
  id: number;
  sender_id: number;
  stream_id: number;
  subject: string;
  content: string;
}

const refused = () =>
  new Refused("Invalid message(s)", { outcome: "not_applied", httpStatus: 400, code: "BAD_REQUEST" });

/** A server with messages. `respond` can replace its answers. */
class MessageServer implements Transport {
  readonly messages = new Map<number, StoredMessage>();
  readonly sent: string[] = [];
  readonly reads: string[] = [];
  readonly world = testWorld();
  respond: (serve: () => ChangeResult) => ChangeResult | undefined = () => undefined;
  /** Messages that the server will not delete. */
  readonly undeletable = new Set<number>();

  constructor(count: number) {
    for (let id = 1; id <= count; id++) this.add({ id, content: `message ${id}` });
  }

  add({ id, content, sender_id = 8 }: { id: number; content: string; sender_id?: number }): void {
    this.messages.set(id, { id, content, sender_id, stream_id: 1, subject: "logo" });
  }

  async send({ operation, args }: Parameters<Transport["send"]>[0], attempts?: Parameters<Transport["send"]>[1]) {
    await attempts?.beforeSend();
    this.sent.push(`${operation.name} ${args.message_id ?? args.topic_name ?? args.content}`);
    const serve = () => this.#serve(operation.name, args);
    return this.respond(serve) ?? serve();
  }

  #serve(name: string, args: Record<string, unknown>): ChangeResult {
    if (name === "messages.send") {
      const id = this.messages.size + 1;
      this.add({ id, content: String(args.content) });
      return done({ id });
    }
    if (name === "channel.topics.rm") {
      for (const id of [...this.messages.keys()].slice(-2)) this.messages.delete(id);
      return done({ complete: this.messages.size === 0 });
    }
    const message = this.messages.get(Number(args.message_id));
    if (!message || this.undeletable.has(message.id)) return { outcome: "refused", failure: refused() };
    if (name === "messages.delete") this.messages.delete(message.id);
    else message.subject = String(args.topic);
    return done();
  }

  async read(operation: { name: string }, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    this.reads.push(operation.name);
    if (operation.name === "messages.list") return { messages: [...this.messages.values()] };
    const message = this.messages.get(Number(args.message_id));
    if (!message) throw refused();
    return { message };
  }

  async run(changes: readonly Change[], options: Partial<EngineOptions> = {}): Promise<ChangeResult[]> {
    const { clock, signals } = this.world;
    const engine = new Engine(this, { clock, signals, merge: false, checkUnanswered: 60_000, ...options });
    const rows = changes.map((each, n) => ({ row: n + 1, changes: [each] }));
    const results: ChangeResult[] = [];
    for await (const finished of engine.run(rows)) results.push(...finished.results);
    return results;
  }
}

const words = { target: "1", done: "Done.", verifyWith: "zulipctl messages show 1" };
const deletion = (message_id: number) => change(deleteMessage, { message_id }, words);
const moving = (message_id: number) => change(updateMessage, { message_id, topic: "sketches" }, words);
const message = (content: string) =>
  change(sendMessage, { type: "direct", to: [9], content, sender: 8, after: 3 }, words);

const applied = (serve: () => ChangeResult) => {
  serve();
  return noAnswer();
};

describe("a deletion", () => {
  test("without an answer is done if a read shows it", async () => {
    const server = new MessageServer(3);
    server.respond = applied;
    expect(outcomes(await server.run([1, 2].map(deletion)))).toEqual(["done", "done"]);
    expect(server.sent).toEqual(["messages.delete 1", "messages.delete 2"]);
    expect([...server.messages.keys()]).toEqual([3]);
  });

  test("that did not arrive is unknown, and is not repeated", async () => {
    const server = new MessageServer(1);
    server.respond = noAnswer;
    expect(outcomes(await server.run([deletion(1)]))).toEqual(["unknown"]);
    expect(server.sent).toHaveLength(1);
  });

  test("of a deleted message is done", async () => {
    const server = new MessageServer(1);
    expect(await server.run([7, 1].map(deletion))).toEqual([
      { outcome: "done", answer: {}, ignored: [], unchanged: true },
      done(),
    ]);
  });

  test("that is refused stays refused if the message exists", async () => {
    const server = new MessageServer(2);
    server.undeletable.add(1);
    expect(outcomes(await server.run([1, 2].map(deletion)))).toEqual(["refused", "done"]);
  });

  test("stops the run if the refusal concerns all messages", async () => {
    const server = new MessageServer(3);
    server.undeletable.add(1);
    const denied = new Refused("permission denied", { outcome: "not_sent" });
    const results = await server.run([1, 2, 3].map(deletion), { refusesAll: async () => denied });
    expect(outcomes(results)).toEqual(["refused", "not_sent", "not_sent"]);
    expect(server.sent).toHaveLength(1);
  });
});

test("a move without an answer is done if the message has moved", async () => {
  const server = new MessageServer(2);
  server.respond = applied;
  expect(outcomes(await server.run([moving(1)]))).toEqual(["done"]);
  expect(server.sent).toHaveLength(1);
});

describe("a message without an answer", () => {
  test("is done if the conversation has the same new message", async () => {
    const server = new MessageServer(3);
    server.respond = applied;
    expect(outcomes(await server.run([message("Hello")]))).toEqual(["done"]);
    expect(server.sent).toHaveLength(1);
  });

  test.each([
    ["an older message", { id: 3, content: "Hello" }],
    ["a message of somebody else", { id: 4, content: "Hello", sender_id: 9 }],
    ["another message", { id: 4, content: "Hello!" }],
  ])("is unknown, and is not repeated, if the conversation has %s", async (_, existing) => {
    const server = new MessageServer(2);
    server.add(existing);
    server.respond = noAnswer;
    expect(outcomes(await server.run([message("Hello")]))).toEqual(["unknown"]);
    expect(server.sent).toHaveLength(1);
  });
});

describe("a deletion that the server never completes", () => {
  const whole = change(deleteTopic, { stream_id: 1, topic_name: "logo" }, words);
  const incomplete = () => done({ complete: false });

  test("ends with 5 after five repetitions without progress", async () => {
    const server = new MessageServer(5);
    server.respond = (serve) => (server.sent.length < 3 ? serve() : incomplete());
    const [result] = await server.run([whole]);
    expect(result).toMatchObject({
      outcome: "refused",
      failure: { exitCode: 5, details: { outcome: "maybe_partial" } },
    });
    expect(server.sent).toHaveLength(7);
    expect(server.messages.size).toBe(1);
  });

  test("is done if no message is left", async () => {
    const server = new MessageServer(2);
    server.respond = (serve) => {
      serve();
      return incomplete();
    };
    expect(await server.run([whole])).toEqual([done({})]);
    expect(server.sent).toHaveLength(1);
  });
});

test("repeats the deletion of a topic until it is complete", async () => {
  const server = new MessageServer(5);
  const whole = change(deleteTopic, { stream_id: 1, topic_name: "logo" }, words);
  expect(await server.run([whole])).toEqual([done({ complete: true })]);
  expect(server.sent).toHaveLength(3);
  expect(server.messages.size).toBe(0);
});
