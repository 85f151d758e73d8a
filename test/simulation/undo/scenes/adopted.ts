/** Things that a run makes, and that others rename, use and let name themselves. */
import type { Chance } from "../../chance.ts";
import type { FormRequest } from "../../other-person.ts";
import type { Line, Stage } from "../stage.ts";
import type { View } from "../view.ts";

const creations = (chance: Chance): readonly Line[] => {
  const person = `${chance.of(["cora", "otis", "mona"])}@sandbox.example`;
  return [
    ["channel", "create", "new", ...chance.of([[], ["--subscribe", person], ["--description", "one"]])],
    ["group", "create", "team", "--description", "one", ...chance.of([[], ["--add", person]])],
    ["folder", "create", "shelf", "--description", "one"],
    ["profile-field", "create", "Pronouns", "--type", "short_text"],
    ["users", "create", "--email", "new@x.example", "--full-name", "New", "--random-password"],
  ];
};

const paths: Readonly<Record<string, string>> = {
  ...{ channel: "/streams", group: "/user_groups", folder: "/channel_folders", field: "/realm/profile_fields" },
  user: "/users",
};

/** Returns a request that changes something of a new thing. */
function adoption({ chance }: Stage, thing: string): FormRequest | undefined {
  const [kind = "", id = ""] = thing.split(" ");
  const path = paths[kind];
  if (path === undefined) return undefined;
  const name = { channel: "new_name", user: "full_name" }[kind] ?? "name";
  return [
    "PATCH",
    `${path}/${id}`,
    chance.of([{ [name]: "theirs" }, kind === "user" ? { role: 300 } : { description: "theirs" }]),
  ];
}

const thingsIn = (view: View): ReadonlySet<string> => new Set([...view.keys()].map((key) => key.split("|")[0] ?? ""));

export async function adopted(stage: Stage): Promise<void> {
  const { chance, ledger } = stage;
  const before = thingsIn(ledger.view);
  const run = await stage.run(chance.hits(0.7) ? [chance.of(creations(chance))] : creations(chance));
  const made = [...thingsIn(ledger.view)].filter((thing) => !before.has(thing));
  for (let acts = made.length ? chance.whole(0, 2) : 0; acts > 0; acts--) {
    const thing = chance.of(made);
    const act = adoption(stage, thing);
    // Only those who manage a group may let it name itself.
    if (thing.startsWith("group ") && chance.hits(0.5))
      await stage.elsewhere(["group", "update", "team", "--can-mention-group", "team"], true);
    else if (act) await stage.request(act);
  }
  await stage.undo([run]);
  if (chance.hits(0.3)) await stage.undo([run]);
}
