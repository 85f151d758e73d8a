/** What the interface of a release had and this one has not. Whatever is new is no loss. */
import type { Interface, Word } from "./interface.ts";
import type { Shape } from "./shape.ts";

const kindsOf = (kinds: string): string[] => kinds.split("|");

/** `prefix` is what the members are of. */
function lostMembers(prefix: string, before: Shape, now: Shape | undefined): string[] {
  return Object.entries(before).flatMap(([path, kinds]) => {
    const name = `${prefix} ${path || "(whole)"}`;
    const there = now?.[path];
    if (there === undefined) return [`${name}: gone`];
    const gone = kindsOf(kinds).filter((kind) => !kindsOf(there).includes(kind));
    return gone.length ? [`${name}: was ${kinds}, is ${there}`] : [];
  });
}

function lostWord(name: string, before: Word, now: Word | undefined): string[] {
  if (!now) return [`${name}: gone`];
  const choices = (before.choices ?? []).filter((choice) => !now.choices?.includes(choice));
  return [
    ...(before.short !== undefined && before.short !== now.short ? [`${name}: ${before.short} is gone`] : []),
    ...(before.value !== now.value
      ? [`${name}: took ${before.value ?? "no value"}, takes ${now.value ?? "no value"}`]
      : []),
    ...choices.map((choice) => `${name}: ${choice} is gone`),
    ...(now.required && !before.required ? [`${name}: is required`] : []),
    ...(before.repeats && !now.repeats ? [`${name}: cannot be repeated`] : []),
  ];
}

function lostFlags(
  name: string,
  before: Readonly<Record<string, Word>>,
  now: Readonly<Record<string, Word>>,
): string[] {
  const added = Object.keys(now).filter((flag) => !(flag in before) && now[flag]?.required);
  return [
    ...Object.entries(before).flatMap(([flag, word]) => lostWord(`${name} ${flag}`, word, now[flag])),
    ...added.map((flag) => `${name} ${flag}: is new and required`),
  ];
}

/** Sentences, one for each. */
export function lost(before: Interface, now: Interface): string[] {
  const codes = Object.entries(before.exit_codes).filter(([kind, code]) => now.exit_codes[kind] !== code);
  const names = Object.entries(before.other_names).flatMap(([of, all]) =>
    all.filter((name) => !now.other_names[of]?.includes(name)).map((name) => `${of}: other name ${name} is gone`),
  );
  const commands = Object.entries(before.commands).flatMap(([name, command]) => {
    const there = now.commands[name];
    if (!there) return [`${name}: gone`];
    const added = there.arguments.slice(command.arguments.length).filter(({ required }) => required);
    return [
      ...command.arguments.flatMap((word, n) => lostWord(`${name} argument ${n + 1}`, word, there.arguments[n])),
      ...added.map(() => `${name}: a new argument is required`),
      ...lostFlags(name, command.flags, there.flags),
    ];
  });
  return [
    ...codes.map(([kind, code]) => `exit code of ${kind}: was ${code}, is ${now.exit_codes[kind]}`),
    ...before.environment.filter((name) => !now.environment.includes(name)).map((name) => `${name}: gone`),
    ...lostFlags("global", before.flags, now.flags),
    ...names,
    ...commands,
    ...Object.entries(before.results).flatMap(([name, shape]) =>
      lostMembers(`${name} --json`, shape, now.results[name]),
    ),
    ...lostMembers("--dry-run --json", before.dry_run, now.dry_run),
    ...lostMembers("error", before.error, now.error),
    ...lostMembers("organization file", before.organization_file, now.organization_file),
  ];
}
