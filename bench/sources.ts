/** `org plan` with groups as subscribers, beside the same plan with their people written out. */
import { writeFile } from "node:fs/promises";
import type { Bench } from "./bench.ts";
import { type Command, inTurn, ratio, run, spread } from "./measure.ts";
import { serving } from "./organization.ts";
import type { Figure } from "./table.ts";

const size = { people: 5000, channels: 50, groups: 300 };
const all = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));

const address = (person: number) => `p${person}@chat.example`;
const everybody = all(size.people, (person) => person);
/** Each person is in one group, and each channel has the people of six groups. */
const inGroup = (group: number) => everybody.filter((person) => person % size.groups === group);
const groupsOf = (channel: number) => all(size.groups / size.channels, (n) => channel + n * size.channels);

const world = () =>
  JSON.stringify({
    users: everybody.map((person) => ({
      key: `p${person}`,
      full_name: `Person Number ${person}`,
      email: address(person),
      role: person ? 400 : 100,
    })),
    channels: all(size.channels, (n) => ({
      name: `channel ${n}`,
      description: `What channel ${n} is about`,
      privacy: "public",
      subscribers: ["p0"],
    })),
    groups: all(size.groups, (n) => ({
      name: `group ${n}`,
      description: `Those of group ${n}`,
      members: inGroup(n).map((person) => `p${person}`),
    })),
  });

export async function sources({ program, env, file }: Bench): Promise<Figure[]> {
  const { account, asked, close } = await serving(size, { text: world() });
  try {
    const plan = async (name: string, subscribers: (channel: number) => object) => {
      const channels = all(size.channels, (n) => ({ name: `channel ${n}`, subscribers: { add: subscribers(n) } }));
      const path = file(`${name}.json`);
      await writeFile(path, JSON.stringify({ channels }));
      return [...program, "org", "plan", path];
    };
    const commands = {
      groups: await plan("groups", (n) => ({ groups: groupsOf(n).map((group) => `group ${group}`) })),
      people: await plan("people", (n) => ({ users: groupsOf(n).flatMap(inGroup).map(address) })),
    };
    const where = { ...env(""), ...account };
    const took = await inTurn(commands, where, { rounds: 7 });
    const requestsOf = async (command: Command) => {
      asked();
      await run(command, where);
      return asked();
    };
    const requests = `${await requestsOf(commands.groups)} requests, ${await requestsOf(commands.people)} written out`;
    const times = (name: keyof typeof took) => took[name].map(({ time }) => time);
    return [
      {
        what: `org plan, 5,000 people in 300 groups as subscribers, ${requests}`,
        value: spread(times("groups")),
        unit: "ms",
        ratios: { "people written out": ratio(times("groups"), times("people")) },
        limit: { ratios: { "people written out": 1.3 } },
      },
    ];
  } finally {
    await close();
  }
}
