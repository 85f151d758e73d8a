/** Settling through the whole client, against the embedded server: hundreds of members in one request. */
import { describe, expect, test } from "vitest";
import { updateMembers } from "../../src/api/groups.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { Header } from "../../src/engine/journal.ts";
import { Run } from "../../src/engine/run.ts";
import { transport } from "../../src/engine/transport.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { type HttpRequest, type HttpResponse, NoAnswer, Secret } from "../../src/world.ts";
import { testWorld } from "../world.ts";

const site = "https://chat.example";
const many = 700;
const path = "/state/run.jsonl";

/** What becomes of a request instead of its being served: the how-manieth change it is, and what serves it. */
type Disturb = (change: number, serve: () => Promise<HttpResponse>) => Promise<HttpResponse> | undefined;

const timeout = () => Promise.reject(new NoAnswer("timed out after 30 s", "timeout", true));

class Place {
  disturb: Disturb = () => undefined;
  /** The sizes of the changes that were sent, in order. */
  readonly sizes: number[] = [];
  reads = 0;
  world = testWorld({ http: (request) => this.#http(request) });
  readonly #sandbox = createSandbox({
    site,
    clock: { now: () => this.world.clock.now() },
    random: () => 0.5,
    users: many,
    rateLimits: false,
  });
  readonly #group = [...this.#sandbox.state.groups.values()].find(({ is_system_group }) => !is_system_group)!;
  /** What happens by itself, and when. */
  readonly #later: { at: number; act: () => void }[] = [];
  readonly people = [...this.#sandbox.state.users.values()]
    .filter(({ user_id, bot_type, is_active }) => is_active && bot_type === null && !this.#group.members.has(user_id))
    .slice(-many)
    .map(({ user_id }) => user_id);
  /** Members of the group of whom a row speaks. */
  get present(): number[] {
    return this.people.filter((id) => this.#group.members.has(id));
  }

  async #http(request: HttpRequest): Promise<HttpResponse> {
    for (const { at, act } of this.#later.splice(0))
      if (at <= this.world.clock.monotonic()) act();
      else this.#later.push({ at, act });
    if (request.method === "GET") {
      this.reads++;
      return this.#sandbox.handle(request);
    }
    const form = new URLSearchParams(request.body);
    this.sizes.push(["add", "delete"].flatMap((name) => JSON.parse(form.get(name) ?? "[]")).length);
    const serve = () => this.#sandbox.handle(request);
    return this.disturb(this.sizes.length, serve) ?? serve();
  }

  after(ms: number, act: () => void): void {
    this.#later.push({ at: this.world.clock.monotonic() + ms, act });
  }

  /** Somebody else adds them. */
  join(id: number): void {
    this.#group.members.add(id);
  }

  /** The process is gone, and its locks with it; the next begins with what is on disk. */
  die(): void {
    this.world = testWorld({ http: (request) => this.#http(request), files: this.world.files.content });
  }

  add = (id: number): Change => {
    const words = { target: "group", done: "Done.", verifyWith: "zulipctl group members" };
    return change(updateMembers, { user_group_id: this.#group.id, add: [id] }, words);
  };

  /** Gives how many rows came to which outcome. */
  async run(ids: readonly number[] = this.people): Promise<Record<string, number>> {
    const { world } = this;
    const owner = [...this.#sandbox.state.users.values()].find(({ role }) => role === 100)!;
    const account = { site, email: owner.delivery_email, tls: {}, key: async () => new Secret(owner.api_key) };
    const retryBudget = new RetryBudget(120_000);
    const manner = { timeout: 30_000, retryBudget, level: 442, allowIgnored: false, grace: 30_000, many: true };
    const server = new Server(world, account, manner);
    const taken = await Run.open(world, path, world.files.content.has(path));
    const rows = ids.map((id, n) => ({ row: n + 1, changes: [this.add(id)] }));
    const header: Header = {
      journal: "zulipctl batch",
      version: 1,
      run: "run",
      site,
      account: owner.delivery_email,
      input: "a",
      words: "b",
      rows: rows.length,
      began: "2026-01-15T12:00:00Z",
    };
    const engine = await taken.begin(header, [], rows, transport(server), { settle: 60_000 });
    const counts: Record<string, number> = {};
    for await (const { results } of engine.run(rows)) {
      const { outcome } = results[0]!;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    await taken.close();
    return counts;
  }
}

/** The third change is the first that holds several hundred. */
const third = (what: (serve: () => Promise<HttpResponse>) => Promise<HttpResponse>): Disturb => {
  return (change, serve) => (change === 3 ? what(serve) : undefined);
};

test("seven hundred additions travel in three requests", async () => {
  const place = new Place();
  expect(await place.run()).toEqual({ done: many });
  expect(place.sizes).toEqual([100, 200, 400]);
  expect(place.reads).toBe(0);
});

describe("four hundred additions in one request", () => {
  test("whose answer is lost after they were applied are done, as one read tells", async () => {
    const place = new Place();
    place.disturb = third(async (serve) => {
      await serve();
      return timeout();
    });
    expect(await place.run()).toEqual({ done: many });
    expect(place.sizes).toEqual([100, 200, 400]);
    expect(place.reads).toBe(1);
    expect(place.present).toEqual(place.people);
  });

  test("that never arrive are looked for during a minute and sent again", async () => {
    const place = new Place();
    place.disturb = third(timeout);
    const began = place.world.clock.monotonic();
    expect(await place.run()).toEqual({ done: many });
    expect(place.sizes).toEqual([100, 200, 400, 400]);
    expect(place.world.clock.monotonic() - began).toBe(60_000);
    expect(place.present).toEqual(place.people);
  });

  test.each([1, 20, 55])(
    "that are still at work when the first read comes, and for %i s, are waited for",
    async (seconds) => {
      const place = new Place();
      place.disturb = third((serve) => {
        place.after(seconds * 1000, () => void serve());
        return timeout();
      });
      expect(await place.run()).toEqual({ done: many });
      expect(place.sizes).toEqual([100, 200, 400]);
      expect(place.reads).toBeGreaterThan(1);
      expect(place.present).toEqual(place.people);
    },
  );

  test("of which some came about by somebody else's hand stay unknown, and nothing is sent again", async () => {
    const place = new Place();
    place.disturb = third(async (serve) => {
      place.join(place.people.at(-1)!);
      await serve();
      return timeout();
    });
    expect(await place.run()).toEqual({ done: 300, unknown: 400 });
    expect(place.sizes).toEqual([100, 200, 400]);
    expect(place.present).toHaveLength(301);
  });

  test("one of which is bad, and whose answer is lost, are sent again, split, and all but that one land", async () => {
    const place = new Place();
    place.disturb = third(async (serve) => {
      await serve();
      return timeout();
    });
    const ids = place.people.with(450, 999_999);
    expect(await place.run(ids)).toEqual({ done: many - 1, refused: 1 });
    expect(place.present).toHaveLength(many - 1);
    // The lost one, its repetition, and two halves on each of the nine levels below it.
    expect(place.sizes.slice(2)).toHaveLength(2 + 2 * 9);
  });
});

test.each([
  ["applied", true, 0],
  ["never arrived", false, 60_000],
])(
  "a run that ends over such a request, which was %s, finds that out when it is resumed",
  async (_, arrives, waited) => {
    const place = new Place();
    const ended = new Promise<never>(() => {});
    await new Promise<void>((resolve) => {
      place.disturb = third(async (serve) => {
        if (arrives) await serve();
        resolve();
        return ended;
      });
      void place.run();
    });
    place.die();
    place.disturb = () => undefined;
    const began = place.world.clock.monotonic();
    expect(await place.run()).toEqual({ done: many });
    expect(place.world.clock.monotonic() - began).toBe(waited);
    expect(place.sizes).toEqual(arrives ? [100, 200, 400] : [100, 200, 400, 100, 200, 100]);
    expect(place.present).toEqual(place.people);
  },
);
