/** A value or a membership that runs, others and undos change in turn. */
import type { Chance } from "../../chance.ts";
import type { Ran } from "../machine.ts";
import type { Line, Stage } from "../stage.ts";

/** Returns the command lines that set it: each to something else. */
function subjectBy(chance: Chance): readonly Line[] {
  const person = `${chance.of(["cora", "otis", "mona", "gwen"])}@sandbox.example`;
  const channel = chance.of(["design", "general", "announcements", "staff"]);
  const group = chance.of(["designers", "writers", "makers"]);
  const texts = ["one", "two", "three"];
  const lists = [
    ["--add", "--delete"].map((flag) => ["group", "members", group, flag, person]),
    ["--add", "--delete"].map((flag) => ["channel", "subscribers", channel, flag, person]),
    ["--add-subgroups", "--delete-subgroups"].map((flag) => ["group", "members", "writers", flag, "designers"]),
  ];
  const values = [
    texts.map((text) => ["channel", "update", channel, "--description", text]),
    texts.map((text) => ["group", "update", group, "--description", text]),
    texts.map((text) => ["users", "update", person, "--full-name", `Name ${text}`]),
    ["member", "moderator", "guest"].map((role) => ["users", "update", person, "--role", role]),
    ["nobody", "role:members", person].map((who) => ["channel", "update", channel, "--can-send-message-group", who]),
    ["3", "5", "7"].map((days) => ["settings", "update", `waiting_period_threshold=${days}`]),
    ["--default", "--no-default"].map((flag) => ["channel", "update", "design", flag]),
  ];
  return chance.of(chance.hits(0.5) ? lists : values);
}

export async function contested(stage: Stage): Promise<void> {
  const { chance } = stage;
  const lines = subjectBy(chance);
  let last: Line = [];
  /** Mostly sets it to something else. */
  const next = () => {
    last = chance.of(chance.hits(0.7) ? lines.filter((line) => line !== last) : lines);
    return last;
  };
  const own: Ran[] = [];
  for (let steps = chance.whole(2, 5); steps > 0; steps--) {
    const which = chance.next();
    if (!own.length || which < 0.6) {
      // A run can set it more than once.
      const count = chance.of([1, 1, 2, 2, 3]);
      own.push(await stage.run(Array.from({ length: count }, next)));
    } else if (which < 0.8) await stage.elsewhere(next());
    else await stage.undo([chance.of(own)]);
  }
  if (chance.hits(0.5)) await stage.elsewhere(next());
  const ends = [...new Set([...own.slice(0, 1), ...own.slice(-1)])];
  await stage.undo(chance.of([[chance.of(own)], own, ends]));
}
