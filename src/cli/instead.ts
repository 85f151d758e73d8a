/** Verbs that people expect but that would surprise them, with the commands to use instead. */

const archive =
  '"zulipctl channel archive" hides a channel and keeps its messages; "zulipctl channel unarchive" brings it back.';
const deactivate =
  '"zulipctl users deactivate" ends all sessions of a person and keeps the messages; "zulipctl users offboard" hands over first what the person holds.';
const unsubscribe = '"zulipctl channel subscribers <channel> --delete <user>" unsubscribes people.';

const commands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  channel: { delete: archive, remove: archive, rm: archive, kick: unsubscribe, ban: unsubscribe },
  users: {
    ...{ delete: deactivate, remove: deactivate, rm: deactivate, kick: deactivate, ban: deactivate },
    suspend: deactivate,
  },
  group: {
    delete: '"zulipctl group deactivate" switches a group off; "zulipctl group reactivate" brings it back.',
    kick: '"zulipctl group members <group> --delete <user>" takes people out of a group.',
  },
  folder: { delete: '"zulipctl folder archive" hides a folder and keeps its channels.' },
  bots: { delete: '"zulipctl bots deactivate" stops a bot; "zulipctl bots reactivate" brings it back.' },
};

/** `verbs`: those of the noun. */
export function insteadOf(noun: string, verb: string, verbs: readonly string[]): string | undefined {
  const known = Object.hasOwn(commands, noun) ? commands[noun] : undefined;
  if (known && Object.hasOwn(known, verb)) return known[verb];
  return verb === "delete" && verbs.includes("rm") ? `"zulipctl ${noun} rm" deletes for good.` : undefined;
}
