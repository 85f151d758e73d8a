/** Topics that runs move, while others write into them and move them, too. */
import type { Ran } from "../machine.ts";
import type { Line, Stage } from "../stage.ts";

const names = ["logo", "release plan", "plan", "t"];
const channels = ["design", "general"];

export async function topics(stage: Stage): Promise<void> {
  const { chance } = stage;
  const place = () => [chance.of(channels), chance.of(names)];
  const sent = (): Line => {
    const [channel = "", topic = ""] = place();
    return ["messages", "send", "--channel", channel, "--topic", topic, "--content", "theirs"];
  };
  const moved = (): Line => {
    const [channel = "", topic = ""] = chance.hits(0.7)
      ? chance.of([
          ["design", "logo"],
          ["general", "release plan"],
        ])
      : place();
    return chance.of<Line>([
      ["topic", "rename", channel, topic, chance.of(names)],
      ["topic", "move", channel, topic, "--to-channel", chance.of(channels)],
      ["topic", "resolve", channel, topic],
      ["topic", "unresolve", channel, `✔ ${topic}`],
    ]);
  };
  const own: Ran[] = [];
  for (let steps = chance.whole(2, 5); steps > 0; steps--) {
    const which = chance.next();
    if (!own.length || which < 0.3) own.push(await stage.run([moved(), ...(chance.hits(0.3) ? [moved()] : [])]));
    else if (which < 0.75) await stage.elsewhere(sent());
    else if (which < 0.9) await stage.elsewhere(moved());
    else await stage.undo([chance.of(own)]);
  }
  await stage.undo(chance.hits(0.2) ? own : [chance.of(own)]);
}
