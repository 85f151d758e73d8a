/** The first screen of an account: where you are, what is unfinished, and what people do on most days. From files alone. */
import type { Flags } from "../argv/global-flags.ts";
import { type HelpItem, helpCommands, screen } from "../cli/help.ts";
import { counted } from "../common/counted.ts";
import { membersOfJson } from "../common/object-members.ts";
import { commandLine } from "../common/shell-words.ts";
import { day, MiB } from "../common/unit-sizes.ts";
import { resolveAccount } from "../credentials/accounts.ts";
import { listProfiles } from "../credentials/profiles.ts";
import { readOnlyBy } from "../credentials/read-only.ts";
import { asError, Failure, NeedsLogin, Usage } from "../errors.ts";
import { planFormat } from "../organization/section-names.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { timeText } from "../output/when.ts";
import { unfinishedRuns } from "../run/journal/unfinished.ts";
import type { World } from "../world/world.ts";

/** The names in the pages of docs, looked for in the working directory. */
const planPath = "plan.json";
const acceptedPath = "accepted.yaml";

/** Larger files are not read. */
const largest = MiB;

/** Accepted findings that end so soon are shown. */
const soon = 14 * day;

const most = 3;

const today: readonly HelpItem[] = [
  ["zulipctl users list --active", "who can log in"],
  ["zulipctl channel list", "channels, who can read them, and how many do"],
  ["zulipctl log --since 1d", "what was changed from this machine"],
];

const hostOf = (site: string): string => site.replace(/^https?:\/\//, "");

interface SiteOverview {
  readonly site: string;
  readonly items: HelpItem[];
}

async function placeOf(world: World, flags: Flags): Promise<SiteOverview> {
  const account = await resolveAccount(world, flags);
  const { site, email, profile, source } = account;
  const guard = readOnlyBy(world, flags, account);
  return {
    site,
    items: [
      ["Site", site],
      ["Account", email],
      profile === undefined ? ["Credentials", source] : ["Profile", profile],
      ["Read-only", guard === undefined ? "no" : `yes, by ${guard}: changes are refused`],
    ],
  };
}

async function runItems(world: World): Promise<HelpItem[]> {
  const runs = await unfinishedRuns(world).catch(asError);
  if (runs instanceof Error) return [["zulipctl batch list", `earlier runs cannot be read: ${runs.message}`]];
  const items = runs.slice(0, most).map(({ run, kind, began, site, rows, state }): HelpItem => {
    const what = [kind, rows !== undefined && `of ${counted(rows, "row")}`, site && `on ${hostOf(site)}`];
    const time = began === undefined ? "" : `, ${timeText(began)}`;
    return [`zulipctl batch show ${run}`, `${what.filter(Boolean).join(" ")}${time}: ${state}`];
  });
  return runs.length > most ? [...items, ["zulipctl batch list", `${runs.length - most} more`]] : items;
}

/** A file that is too large or cannot be read is not shown. */
const textOf = ({ files }: World, path: string): Promise<string | undefined> =>
  files
    .kind(path)
    .then((kind) => (kind === "file" ? files.read(path, largest) : undefined))
    .catch(() => undefined);

/** A kept plan. It is refused if the organization has changed since. */
async function planItems(world: World, current: string): Promise<HelpItem[]> {
  const text = await textOf(world, planPath);
  const { format, site } = membersOfJson(text ?? "");
  if (text === undefined || format !== planFormat || site !== current) return [];
  const { readPlan } = await import("../organization/plan/plan-file.ts");
  try {
    const { taken, changes } = readPlan(text, planPath);
    const what = `kept plan of ${timeText(taken)}: ${counted(changes.length, "difference")}`;
    return changes.length ? [[`zulipctl org apply ${planPath}`, what]] : [];
  } catch (error) {
    if (error instanceof Usage) return [["zulipctl org plan", error.message]];
    throw error;
  }
}

/** Accepted findings whose last day is near or over. */
async function findingItems(world: World): Promise<HelpItem[]> {
  const text = await textOf(world, acceptedPath);
  if (text === undefined) return [];
  const { readAccepted } = await import("../permissions/findings/accepted.ts");
  const read = readAccepted({ name: acceptedPath, bytes: Buffer.from(text) });
  const days = "accepted" in read ? read.accepted.flatMap(({ until = [] }) => until) : [];
  const now = world.clock.now();
  const ending = days.filter((last) => Date.parse(last) < now + soon).sort();
  const [first] = ending;
  if (first === undefined) return [];
  const what = `${counted(ending.length, "accepted finding")} of ${acceptedPath}`;
  // Its last day counts.
  const says = Date.parse(first) + day < now ? "expired on" : "accepted until";
  return [
    [
      `zulipctl permissions findings --accept ${acceptedPath}`,
      `${what}: ${says} ${first}${ending.length > 1 ? " and later" : ""}`,
    ],
  ];
}

/** Undefined if there is neither an account nor a profile. Sends nothing, and reads no key. */
export async function overview(world: World, flags: Flags): Promise<string | undefined> {
  const place = await placeOf(world, flags).catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  if (place instanceof NeedsLogin && !(await listProfiles(world)).length) return undefined;
  const where: readonly HelpItem[] =
    place instanceof Failure
      ? [["Account", [place.message, place.details.hint].filter(Boolean).join(". ")]]
      : place.items;
  const unfinished = [
    ...(await runItems(world)),
    ...(place instanceof Failure ? [] : await planItems(world, place.site)),
    ...(await findingItems(world)),
  ];
  // Commands are for the account that is shown.
  const program =
    flags.profile === undefined || place instanceof Failure ? "zulipctl" : commandLine(["-p", flags.profile]);
  const safe = (items: readonly HelpItem[]) =>
    items.map(([term, says]): HelpItem => [sanitizeLine(term.replace(/^zulipctl(?= )/, program)), sanitizeLine(says)]);
  return screen(
    [
      ["You are here:", safe(where)],
      ...(unfinished.length ? [["Unfinished:", safe(unfinished), "below"] as const] : []),
      ["On most days:", safe(today)],
      ["Read on:", helpCommands],
    ],
    world.stdout.columns ?? 80,
  );
}
