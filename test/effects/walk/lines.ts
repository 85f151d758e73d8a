/** What the walk does: the changes of all cases, and what these do not have. */
import type { SandboxState } from "../../../src/sandbox/index.ts";
import { argvOf, everyLine, isMaking } from "../../cases/all.ts";
import type { Setting } from "../../cases/case.ts";

export interface Walked extends Setting {
  readonly argv: readonly string[];
}

const line = (command: string, typed: string, setting: Setting = {}): Walked => ({
  ...setting,
  argv: argvOf(command, { typed }),
});

/** Leaves only these people in the channel council. */
const only =
  (...ids: number[]) =>
  ({ channels }: SandboxState) => {
    const council = [...channels.values()].find(({ name }) => name === "council");
    council?.subscribers.clear();
    for (const id of ids) council?.subscribers.add(id);
  };

/** Adds 20 people. */
const outside = ({ users }: SandboxState): void => {
  const one = [...users.values()].find(({ user_id }) => user_id === 12)!;
  for (let n = 1; n <= 20; n++) {
    users.set(100 + n, {
      ...structuredClone(one),
      user_id: 100 + n,
      full_name: `C${n}`,
      delivery_email: `c${n}@x.example`,
    });
  }
};

/** Adds 20 people, and makes them members of the group writers. */
const crowd = (state: SandboxState): void => {
  outside(state);
  const { members } = [...state.groups.values()].find(({ name }) => name === "writers")!;
  for (let n = 1; n <= 20; n++) members.add(100 + n);
};

/** Adds a message that is sent later. */
const later = ({ scheduled }: SandboxState): void => {
  scheduled.set(1, { id: 1, user_id: 8, timestamp: 4070908800, channel: 1, people: [], topic: "y", content: "x" });
};
const eleven = Array.from({ length: 11 }, (_, n) => 101 + n).join(",");

const others: readonly Walked[] = [
  line("channel subscribers", "council --delete 12", { given: only(12) }),
  line("channel subscribers", "council --delete 12 --allow-empty", { given: only(12) }),
  line("channel subscribers", "council --set 12", { given: only(8, 12) }),
  line("group members", "writers --set '' --allow-empty"),
  line("group members", `writers --delete ${eleven}`, { given: crowd }),
  line("group members", `writers --delete ${eleven} --max-removals 11`, { given: crowd }),
  line("group members", "writers --add-subgroups role:everyone"),
  line("users deactivate", eleven, { given: crowd }),
  line("users deactivate", "12", { given: only(12) }),
  line("users update", "cora@sandbox.example --role guest"),
  line("users update", "cora@sandbox.example --role administrator"),
  line("users update", "iris@sandbox.example --role member"),
  line("users update", "iris@sandbox.example --role member --allow-lockout"),
  line("topic rename", "general 'release plan' 'general chat'"),
  line("topic move", "general 'release plan' --to-channel council"),
  line("topic move", "council agenda --to-channel general"),
  line("channel update", "council --no-private"),
  line("channel update", "council --history-public-to-subscribers"),
  line("channel update", "design --message-retention-days 30"),
  line("bots rotate-key", "14 --print"),
  line("bots create", "Alerts --short-name alerts --print"),
  line("group members", `writers --add ${eleven}`, { given: outside }),
  line("channel update", "design --default"),
  line("channel update", "general --no-default"),
  line("settings update", "--new-users enter_sends=true"),
  line("settings update", "enable_sounds=false --people otis@sandbox.example"),
  line("settings update", "invite_required=false"),
  line("messages delete", "--ids 1,2"),
  line("messages move", "--narrow 'channel:general topic:\"release plan\"' --to-topic 'general chat'"),
  line("messages move", "--narrow channel:council --to-channel general"),
  line("profile-field update", "Office --delete-option Lisbon"),
  line("emoji rm", "shipit"),
  // What no command sends.
  line("api", "DELETE users/me"),
  line("api", "POST default_streams -f stream_id=2"),
  line("api", "DELETE default_streams -f stream_id=1"),
  line("api", "PATCH users/cora@sandbox.example -f role=600"),
  line("api", "POST user_groups/17/subgroups -f add=[19]"),
  line("api", "POST mark_all_as_read"),
  line("api", "POST mark_stream_as_read -f stream_id=1"),
  line("api", "POST mark_topic_as_read -f stream_id=1 -f topic_name=logo"),
  line("api", "POST messages/flags -f messages=[1] -f op=add -f flag=starred"),
  line(
    "api",
    "POST messages/flags/narrow -f anchor=newest -f num_before=5 -f num_after=0 -f narrow=[] -f op=add -f flag=starred",
  ),
  line("api", "POST users/me/presence -f status=active"),
  line("api", "POST users/me/status -f status_text=away"),
  line(
    "api",
    "POST scheduled_messages -f type=channel -f to=1 -f content=x -f topic=y -f scheduled_delivery_timestamp=4070908800",
  ),
  line("api", "PATCH scheduled_messages/1 -f content=z", { given: later }),
  line("api", "DELETE scheduled_messages/1", { given: later }),
  line("api", "POST zoom/rooms -f name=x"),
];

/** More lines of one command do the same again. */
const mostLines = 2;

function firstLines(): Walked[] {
  const seen = new Map<string, number>();
  return everyLine.filter((each) => {
    if (!isMaking(each) || each.command === "batch" || each.command === "api") return false;
    const count = (seen.get(each.command) ?? 0) + 1;
    seen.set(each.command, count);
    return count <= mostLines;
  });
}

export const walked: readonly Walked[] = [...firstLines(), ...others];
