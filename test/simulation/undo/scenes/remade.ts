/** Things without a name of their own that runs, others and undos remove and make again. */
import type { SandboxState } from "../../../../src/sandbox/state.ts";
import type { Chance } from "../../chance.ts";
import type { Ran } from "../machine.ts";
import type { Line, Stage } from "../stage.ts";

/** A thing that can be removed, and made with other values. */
interface Subject {
  readonly make: readonly Line[];
  /** Undefined if it is not there. */
  readonly remove: (state: SandboxState) => Line | undefined;
}

const mostly = <T>(chance: Chance, one: T, others: readonly T[]): T => (chance.hits(0.5) ? one : chance.of(others));

const removal = (noun: string, id: unknown): Line | undefined => (id === undefined ? undefined : [noun, "rm", `${id}`]);

function subjectBy(chance: Chance, { linkifiers }: SandboxState): Subject {
  const linkifier = chance.of(linkifiers).pattern;
  const groups = [...linkifier.matchAll(/<(\w+)>/g)].map(([, name]) => `{${name}}`).join("/");
  const address = "again@x.example";
  const [one, other] = ["https://one.example/", "https://other.example/"];
  return chance.of<Subject>([
    {
      make: [["emoji", "add", "again", "party.png"]],
      remove: ({ emoji }) =>
        removal("emoji", [...emoji.values()].find(({ name, deactivated }) => name === "again" && !deactivated)?.name),
    },
    {
      make: [[], ["--role", "guest"]].map((more) => ["invite", "add", address, "--channel", "general", ...more]),
      remove: ({ invitations }) => {
        const open = invitations.findLast((each) => each.email === address && !each.revoked && each.expiry_date !== 0);
        return removal("invite", open && `email:${open.id}`);
      },
    },
    {
      make: [one, other].map((url) => ["linkifier", "add", linkifier, `${url}${groups}`, "--skip-check"]),
      remove: ({ linkifiers }) => removal("linkifier", linkifiers.find(({ pattern }) => pattern === linkifier)?.id),
    },
    {
      make: [one, other].map((url) => ["playground", "add", "python", "Play", `${url}{code}`]),
      remove: ({ playgrounds }) => removal("playground", playgrounds.find(({ name }) => name === "Play")?.id),
    },
    {
      make: ["--allow-subdomains", "--no-allow-subdomains"].map((flag) => ["domain", "add", "a.example", flag]),
      remove: ({ domains }) => removal("domain", domains.find(({ domain }) => domain === "a.example")?.domain),
    },
  ]);
}

/** Returns one to three lines that can be accepted one after the other. */
function linesFor({ chance, state }: Stage, { make, remove }: Subject): Line[] {
  const removing = remove(state);
  if (!removing) return [chance.of(make)];
  return mostly(chance, [removing, chance.of(make)], [[removing], [removing], [chance.of(make)]]);
}

export async function remade(stage: Stage): Promise<void> {
  const { chance, state } = stage;
  const subject = subjectBy(chance, state);
  const own: Ran[] = [];
  const orders = () =>
    state.linkifiers.length > 1 && chance.hits(0.2)
      ? [["linkifier", "reorder", String(chance.of(state.linkifiers).id)]]
      : [];
  for (let steps = chance.whole(1, 4); steps > 0; steps--) {
    const which = chance.next();
    if (!own.length || which < 0.3) own.push(await stage.run([...linesFor(stage, subject), ...orders()]));
    else if (which < 0.85) {
      const isOwner = chance.hits(0.5);
      for (const line of linesFor(stage, subject)) await stage.elsewhere(line, isOwner);
    } else await stage.undo([chance.of(own)]);
  }
  await stage.undo(chance.hits(0.2) ? own : [chance.of(own)]);
}
