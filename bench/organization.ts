/**
 * `org plan`: a large organization beside its own file with thirty changes, and a small one in which nothing differs.
 * `org apply`: the first time, in an organization of people alone.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, listen, readWorld } from "../src/sandbox/index.ts";
import type { HttpResponse } from "../src/world/world.ts";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, run, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

interface Size {
  people: number;
  channels: number;
  groups: number;
}

export const large: Size = { people: 5000, channels: 500, groups: 300 };
const small: Size = { people: 20, channels: 10, groups: 3 };

/** Each channel and group has a hundred people, every other channel is private. */
function world({ people, channels, groups }: Size): string {
  const key = (n: number) => `p${n % people}`;
  const some = (n: number) => [...new Set(Array.from({ length: 100 }, (_, at) => key(n * 7 + at * 13)))];
  const all = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));
  return JSON.stringify({
    users: all(people, (n) => ({
      key: key(n),
      full_name: `Person Number ${n}`,
      email: `${key(n)}@chat.example`,
      role: n ? 400 : 100,
    })),
    channels: all(channels, (n) => ({
      name: `channel ${n}`,
      description: `What channel ${n} is about`,
      privacy: n % 2 ? "private" : "public",
      subscribers: [key(0), ...some(n)].filter((one, at, list) => list.indexOf(one) === at),
    })),
    groups: all(groups, (n) => ({ name: `group ${n}`, description: `Those of group ${n}`, members: some(n) })),
  });
}

/** The embedded server with such an organization. It gives the same reads again at once, so that its time does not count. */
export async function serving(size: Size, { again = true, text = world(size) } = {}) {
  const kept = new Map<string, Promise<{ answer: HttpResponse; body: Uint8Array[] }>>();
  let requests = 0;
  const { site, sandbox, close } = await listen(
    0,
    (site) => {
      const made = createSandbox({
        site,
        clock: Date,
        random: Math.random,
        world: readWorld(text),
        rateLimits: false,
      });
      const handle: typeof made.handle = async (request, ...more) => {
        requests++;
        const key = `${request.method} ${request.url} ${request.body}`;
        if (!again) return made.handle(request, ...more);
        const known =
          kept.get(key) ??
          Promise.resolve(made.handle(request, ...more)).then(async (answer) => {
            const body: Uint8Array[] = [];
            for await (const chunk of answer.body) body.push(chunk);
            return { answer, body };
          });
        kept.set(key, known);
        const { answer, body } = await known;
        return {
          ...answer,
          body: (async function* () {
            yield* body;
          })(),
        };
      };
      return { ...made, handle };
    },
    (error) => {
      throw error;
    },
  );
  const owner = [...sandbox.state.users.values()].find(({ role }) => role === 100)!;
  const account = { ZULIP_SITE: site, ZULIP_EMAIL: owner.delivery_email, ZULIP_API_KEY: owner.api_key };
  const asked = () => {
    const before = requests;
    requests = 0;
    return before;
  };
  return { site, sandbox, account, asked, close };
}

export async function organization(bench: Bench): Promise<Figure[]> {
  const { program, directory, env, file } = bench;
  const figures: Figure[] = [];
  for (const size of [large, small]) {
    const { account, asked, close } = await serving(size);
    try {
      const where = { ...env(""), ...account };
      const path = file("organization.yaml");
      const { out } = await run([...program, "org", "export", "--with", "subscribers"], where, { quietly: false });
      let changed = 0;
      const text = out.replaceAll(/What channel \d+ is about/g, (found) =>
        size === large && changed++ < 30 ? `${found}, more or less` : found,
      );
      await writeFile(path, text);
      asked();
      const plan = [...program, "org", "plan", path];
      const rounds = size === large ? 5 : 15;
      const commands = {
        plan,
        "node -e 0": [process.execPath, "-e", "0"],
        "the YAML library alone": [process.execPath, join(directory, "yaml.js"), path],
      };
      const took = await inTurn(commands, where, { rounds });
      const requests = asked() / (rounds + 1);
      const times = (name: keyof typeof took) => took[name].map(({ time }) => time);
      const [people, channels, groups] = Object.values(size).map((count) => count.toLocaleString("en"));
      figures.push({
        what: `org plan, ${people} people, ${channels} channels, ${groups} groups, ${size === large ? "30 changes" : "no change"}, ${requests} requests`,
        value: spread(times("plan")),
        unit: "ms",
        ratios: {
          "node -e 0": ratio(times("plan"), times("node -e 0")),
          "the YAML library alone": ratio(times("plan"), times("the YAML library alone")),
        },
        ...(size === large && { limit: { ratios: { "the YAML library alone": 3 } } }),
      });
      const peaks = took.plan.map(({ peak }) => peak).filter((peak) => peak !== undefined);
      if (peaks.length && size === large)
        figures.push({ what: "  its memory", value: spread(peaks), unit: "MiB", ratios: {}, limit: { value: 300 } });
    } finally {
      await close();
    }
  }
  figures.push(await first(bench));
  return figures;
}

/** Fifty channels and thirty groups that are not there, and two hundred people who become moderators. */
function wanted(): string {
  const all = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));
  const some = (n: number, count: number) => all(count, (at) => `p${((n + at) % 200) + 1}@chat.example`);
  return JSON.stringify({
    people: all(200, (n) => ({ email: `p${n + 1}@chat.example`, role: "moderator" })),
    groups: all(30, (n) => ({
      name: `group ${n}`,
      description: `Those of group ${n}`,
      members: some(n, 20),
      ...(n && { subgroups: [`group ${n - 1}`], can_manage_group: { groups: [`group ${n - 1}`] } }),
    })),
    channels: all(50, (n) => ({
      name: `channel ${n}`,
      description: `What channel ${n} is about`,
      is_private: n % 2 === 0,
      subscribers: ["p0@chat.example", ...some(n, 40)],
      can_send_message_group: { groups: [`group ${n % 30}`] },
    })),
  });
}

/** What the requests are, beside one for each thing that is made or has another role: nobody could do with fewer. */
async function first({ program, env, file }: Bench): Promise<Figure> {
  const { account, asked, close } = await serving({ people: 201, channels: 0, groups: 0 }, { again: false });
  try {
    const path = file("wanted.json");
    await writeFile(path, wanted());
    asked();
    const { time } = await run([...program, "org", "apply", path, "--yes", "--quiet"], { ...env(""), ...account });
    const requests = asked();
    return {
      what: `org apply: 50 channels, 30 groups and 200 people for the first time, in ${(time / 1000).toFixed(1)} s`,
      value: { median: requests, low: requests, high: requests },
      unit: "requests",
      ratios: { "one for each": spread([requests / 280]) },
    };
  } finally {
    await close();
  }
}
