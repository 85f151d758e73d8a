/** The rules of undo, and what a story broke of them. */
import { Doubts } from "./doubts.ts";
import { isEntangled, isMadeAgain, isRemovedUnseen, isReordered } from "./entangled.ts";
import { type Claim, claimOf, isAddedAgain, isSame, standing, type Write } from "./ledger.ts";
import type { Ran } from "./machine.ts";
import { keyOf, Things, tells } from "./made.ts";
import type { Meaning } from "./meaning.ts";
import type { Story, Undo } from "./story.ts";
import { thingOf } from "./view.ts";
import { isNamed, saysChanged, saysUnanswered, saysUnknown, saysUnlogged, saysVerified, wordsOf } from "./words.ts";

/** What becomes of a value. */
interface Finding {
  readonly key: string;
  /** A broken rule. */
  readonly rule?: string | undefined;
  /** It is not as it was before the runs. */
  readonly isLeft?: boolean;
  /** The undo has set it, and it was something else when the undo read it again. */
  readonly isOther?: boolean;
  /** Nobody can tell what the undo saw of it. */
  readonly isOpen?: boolean;
  /** Nobody else has changed it. */
  readonly isOwned?: boolean;
}

/** The text of messages is not taken back. */
const isContent = (key: string): boolean => key.startsWith("message ") && key.endsWith("|content");

/** What an undo takes away for good. */
const once =
  /invited again|revoked link does not work again|uploaded again|deleted profile field|private channel without subscribers/;

/** Why an undo may be refused as a whole. */
const mayRefuse = /--allow-|still running|--only: /;

class Judge {
  readonly #ledger;
  readonly #ran: Ran;
  readonly #doubts: Doubts;
  readonly #things: Things;
  /** What others did until then must stay. */
  readonly #until: number;
  readonly #later: readonly Write[];

  constructor(
    { ledger, machine }: Story,
    private readonly undo: Undo,
    private readonly runs: readonly Ran[],
  ) {
    const { ran } = undo;
    this.#ledger = ledger;
    this.#ran = ran;
    this.#until = ran.confirmed ?? ran.from;
    this.#doubts = new Doubts(ledger, machine.session, runs, this.#until, saysUnanswered(ran));
    this.#things = new Things(machine.owner, ledger, runs, ran, this.#until);
    this.#later = ledger.writes.filter(({ at, by }) => by !== ran && at > this.#until && at <= ran.to);
  }

  #isChosen = (key: string): boolean =>
    this.#ran.only === undefined || (thingOf(key) === this.#ran.only && !this.#things.wentWithField(key));

  /** The changes that the undo must know when it sends. */
  #known = (key: string): Write[] => this.#ledger.of(key).filter(({ at, by }) => by !== this.#ran && at <= this.#until);

  /** Returns the values that a key can have had before the runs. Somebody may have changed it between a read and a change. */
  #backs(key: string, { back, began }: Claim): (string | undefined)[] {
    const run = this.runs.find(({ from, to }) => began > from && began <= to);
    return [back, ...(run ? this.#valuesIn(key, run.from, began) : []), ...this.#remadeByOthers(key, began)];
  }

  /** Returns the values of things that others have put in the place of what the runs had left there: these come back. */
  #remadeByOthers(key: string, began: number): (string | undefined)[] {
    const since = this.#known(key).filter((write) => write.by === "other" && write.at > began);
    const removed = since.findIndex(({ to }) => to === undefined);
    return removed < 0 ? [] : since.slice(removed).flatMap(({ to }) => to ?? []);
  }

  #valuesIn = (key: string, from: number, to: number): (string | undefined)[] => [
    this.#ledger.valueAt(key, from),
    ...this.#ledger.of(key).flatMap((write) => (write.at > from && write.at < to ? [write.to] : [])),
  ];

  #value(key: string): Finding {
    const ledger = this.#ledger;
    const claim = this.#isChosen(key) ? claimOf(standing(this.#known(key)), this.runs) : undefined;
    const own = ledger.of(key).filter(({ by }) => by === this.#ran);
    const now = ledger.valueAt(key, this.#ran.to);
    const last = own.at(-1);
    // A thing that was replaced is removed and added again.
    const isTouched = last !== undefined && !isSame(key, own[0]?.from, last.to);
    if (!claim?.isOwned && isTouched) {
      const isOwn = this.runs.some((by) => this.#ledger.of(key).some((write) => write.by === by));
      const isAllowed =
        this.#things.isBeside(key) ||
        (!claim && (this.#isReplacedMeanwhile(key, last.to) || this.#doubts.isSetBetween(key, last.to))) ||
        // Channels leave a folder before it is archived.
        (this.undo.includesLater && key.endsWith("|folder_id") && last.to === "null") ||
        // Servers clear it with a playground, and an undo that is killed then does not set it again.
        (this.#ran.ended.code === undefined && key === "organization|default_code_block_language") ||
        // One that is killed can have removed what it would have made again.
        (isOwn && (this.#ran.hasFaults || (this.#ran.ended.code === undefined && last.to === undefined))) ||
        this.#doubts.has(key, own[0]?.at ?? 0);
      if (!isAllowed)
        return { key, rule: claim ? "what was changed since is taken back" : "what others did is touched" };
    }
    // A change without an answer may be another run's.
    const isDoubtful = isTouched && this.#doubts.has(key, own[0]?.at ?? 0);
    if (!claim) return { key, isLeft: !isDoubtful && this.#isDisordered(key) };
    // An undo took it back, and somebody has changed it since: that may be called a conflict, or be left out.
    if (claim.isTaken) return { key, isOpen: true };
    const isForeign = ({ by }: Write) => !claim.isOwned || by === "other";
    if (isAddedAgain(key, this.#ledger.of(key).filter(isForeign))) return { key, isOpen: true };
    const backs = this.#backs(key, claim);
    const isBack = (value: string | undefined) => backs.some((back) => isSame(key, value, back));
    // The channel and the topic of a message are one place.
    const isPlace = (other: string) =>
      key.startsWith("message ") && thingOf(other) === thingOf(key) && !isContent(other);
    // Lists do not show people who are deactivated between two reads.
    const [, person] = /\|(?:member|subscriber) (\d+)$/.exec(key) ?? [];
    const isBeside = (other: string) => isPlace(other) || other === `user ${person}|is_active`;
    const late = this.#later.filter((write) => write.key === key || isBeside(write.key)).at(-1);
    const isBetween = last !== undefined && this.#doubts.isSetBetween(key, last.to);
    if (claim.isOwned && last && !isBack(last.to)) {
      const isUnknown = ({ isLost, unanswered, ended: { code } }: Ran) =>
        isLost || unanswered > 0 || (code === undefined && saysUnlogged(wordsOf(this.#ran)));
      const isExcused = this.runs.some(isUnknown) || this.#ran.hasFaults || late;
      // An undo that is killed can have removed something that it would have replaced.
      const isBroken = this.#ran.ended.code === undefined && last.to === undefined;
      // Something that it orders may be removed later.
      if (!isExcused && !isBroken && !key.startsWith("orders|") && !isBetween)
        return { key, rule: "another value is set than was there before" };
    }
    // Others can have changed it while the question was open, and set it back.
    const isMeddled = this.#ledger.writes.some(
      (write) =>
        write.by === "other" &&
        ((isPlace(write.key) && write.at > claim.began) || (write.key === key && write.at > this.#ran.from)),
    );
    const { verified } = this.#ran;
    // What is removed or added leaves the others in their order.
    const isSet = key.startsWith("orders|") ? isTouched : last !== undefined;
    if (late && (late.key !== key || verified === undefined || late.at > verified)) return { key, isOpen: true };
    return {
      key,
      // A folder that a run brought back stays if others have put channels into it.
      isOwned:
        claim.isOwned &&
        !late &&
        !isMeddled &&
        !this.#isReordered(key) &&
        !(/^folder .*is_archived$/.test(key) && this.#things.hasChannels(thingOf(key))),
      isLeft: !isBack(now),
      isOther: claim.isOwned && isSet && !isBetween && !isBack(now),
    };
  }

  /** Whether the runs removed something and made it again, and others changed it while the undo was putting the old one back. */
  #isReplacedMeanwhile(key: string, to: string | undefined): boolean {
    const own = this.#ledger.of(key).filter(({ by }) => this.runs.includes(by as Ran));
    const isHalfWay = to === undefined || isSame(key, to, own[0]?.from);
    return isHalfWay && own.some((write) => write.to === undefined) && this.#later.some((write) => write.key === key);
  }

  /** Whether others set an order since the runs did: an undo may have put something of its own first. */
  #isReordered(key: string): boolean {
    const all = this.#ledger.of(key).filter(({ at, by }) => at <= this.#ran.to && by !== this.#ran);
    const last = all.findLastIndex(({ by }) => this.runs.includes(by as Ran));
    return key.startsWith("orders|") && all.slice(last + 1).some(({ from, to }) => !isSame(key, from, to));
  }

  /** Whether the runs removed something of an order, and it is there again at another place, although nobody else was there. */
  #isDisordered(key: string): boolean {
    if (!key.startsWith("orders|") || !this.#isChosen(key)) return false;
    const all = this.#ledger.of(key);
    const first = all.findIndex(({ by }) => this.runs.includes(by as Ran));
    const since = first < 0 ? [] : all.slice(first).filter(({ at }) => at <= this.#ran.to);
    const isAlone = since.every(({ by }) => by === this.#ran || this.runs.includes(by as Ran));
    return isAlone && !isSame(key, since[0]?.from, since.at(-1)?.to);
  }

  /** What the runs made is gone, unless others use it. */
  #made(thing: string): Finding {
    const key = `${thing}|`;
    const isThere = this.#things.isInUse(thing);
    if (!this.#isChosen(key)) return { key };
    const isTouched = this.#ledger.writes.some(({ by, key }) => by === this.#ran && thingOf(key) === thing);
    // It was taken away, and somebody else has made one like it since.
    if (this.#things.isMadeAgain(thing))
      return isTouched ? { key, rule: "what others made is taken away" } : { key, isOpen: true };
    const isUsed = this.#things.isUsed(thing);
    if (isUsed && isTouched && !this.undo.includesLater) return { key, rule: "what others use is taken away" };
    if (this.#later.some((write) => thingOf(write.key) === thing)) return { key, isOpen: true };
    // Domains have no ids: one that others removed and the runs added again may be as it was before.
    const first = this.#ledger.of(keyOf(thing)).find(({ by }) => this.runs.includes(by as Ran));
    const isAsBefore = first && isSame(key, first.from, this.#ledger.valueAt(keyOf(thing), this.#ran.to));
    if (thing.startsWith("domain ") && isThere && isAsBefore) return { key, isOpen: true };
    const isKnown = this.runs.every(
      ({ unanswered, isLost, ended }) => !unanswered && !isLost && ended.code !== undefined,
    );
    // What was made without an answer may be anybody's.
    if (!isKnown && isThere) return { key, isOpen: this.#ran.ended.code !== 0, isLeft: true };
    // What others took away is a conflict. What they archived or deactivated is back.
    if (!isThere && !isTouched)
      return { key, isOpen: !this.#things.isGone(thing) || this.#wasPerhapsTaken(thing), isLeft: true };
    return { key, isLeft: isThere, isOther: isTouched && isThere };
  }

  /** Whether an undo of the runs may have taken a thing away: it had no answer. */
  #wasPerhapsTaken(thing: string): boolean {
    const isUndo = (by: Write["by"]) => by !== "other" && by.means?.some((run) => this.runs.includes(run)) === true;
    return this.#ledger.possible.some(({ by, key }) => thingOf(key) === thing && isUndo(by));
  }

  findings(): Finding[] {
    const touched = this.#ledger.writes.filter(({ by }) => by === this.#ran || this.runs.includes(by as Ran));
    const found = new Map<string, Finding>();
    for (const { key } of touched) {
      const thing = thingOf(key);
      if (isContent(key) || this.#things.staysInList(key) || this.#things.isRevoked(key)) continue;
      const finding = this.#things.isMade(thing) ? this.#made(thing) : this.#value(key);
      found.set(finding.key, finding);
    }
    return [...found.values()];
  }
}

/** What happened to a value, or to a thing. */
const history = ({ ledger }: Story, key: string): string =>
  ledger.writes
    .filter((write) => write.key === key || (key.endsWith("|") && write.key.startsWith(key) && tells(write.key)))
    .slice(0, 12)
    .map(({ at, by, from, to }) => {
      const who = by === "other" ? by : `${by.means ? "undo" : "run"} ${by.name}`;
      return `${at} ${who}: ${from} → ${to}`;
    })
    .join("; ");

/** Whether what a run changed is not known, or cannot go back. */
const isNotKnown = ({ isLost, stays, unanswered, ended, resumes }: Ran): boolean =>
  isLost || stays || unanswered > 0 || ended.code === undefined || (resumes !== undefined && isNotKnown(resumes));

/** Returns the rules that an undo breaks if it means these runs. */
function brokenBy(story: Story, undo: Undo, meant: Meaning): string[] {
  const { ran } = undo;
  const { code, err } = ran.ended;
  const wrote = story.ledger.writes.filter(({ by }) => by === ran);
  const isSilent = !wrote.length && ran.accepted === 0;
  if (meant === "nothing") return isSilent ? [] : ["it takes something back, although nothing was meant"];
  const findings = new Judge(story, undo, meant).findings();
  const broken = findings.flatMap(({ key, rule }) => (rule ? [`${rule}: ${key}: ${history(story, key)}`] : []));
  if (code === undefined) return broken;
  const add = (rule: string, all: readonly Finding[] = []) =>
    broken.push(all.length ? `${rule}: ${all.map(({ key }) => `${key}: ${history(story, key)}`).join("\n  ")}` : rule);
  const left = findings.filter(({ isLeft, isOpen }) => isLeft && !isOpen);
  const isOpen = findings.some((finding) => finding.isOpen);
  const other = findings.filter((finding) => finding.isOther);
  const words = wordsOf(ran);
  const isUncertain = meant.some(isNotKnown);
  const isRefused = code === 2 && isSilent;
  if (![0, 1, 2, 5, 6, 7].includes(code)) add(`ends with ${code}`);
  if (code === 0 && left.length) add("ends with 0, but this is not back", left);
  if ((code === 1 || code === 2) && !isSilent) add(`ends with ${code}, but changed something`);
  if (code === 6 && !left.length && !isOpen && !isUncertain && !isEntangled(story, meant))
    add("tells of a conflict, but everything is back");
  const isTroubled = isUncertain || isOpen || ran.hasFaults;
  const isExcused = isReordered(story, meant) || isMadeAgain(story, meant) || isRemovedUnseen(story, ran);
  if ([1, 5, 7].includes(code) && !left.length && !isTroubled && !isExcused)
    add(`ends with ${code}, but everything is back`);
  const isApart = /more than 24 hours apart/.test(err) && undo.meanings.includes("nothing");
  if (code === 2 && left.length && !isUncertain && !isApart && !mayRefuse.test(err)) add("refuses a run", left);
  if ((story.isCalm || (story.isAlone && !isUncertain)) && ran.refused) add("sends what the server refuses");
  const owned = left.filter(({ key }) => findings.every((each) => thingOf(each.key) !== thingOf(key) || each.isOwned));
  const { view } = story.ledger;
  // Servers leave deactivated people out of lists and permissions.
  const hidesPeople = (key: string) =>
    /\|(can_|member |subscriber )/.test(key) &&
    (`${key} ${view.get(key)}`.match(/\d+/g) ?? []).some((id) => view.get(`user ${id}|is_active`) === "false");
  const shown = owned.filter(({ key }) => !hidesPeople(key));
  const wrong = shown.filter(({ key }) =>
    isNamed(
      story.ledger,
      words.filter((line) => saysChanged(story, undo, line)),
      key,
    ),
  );
  if (wrong.length && !isTroubled) add("calls a conflict what nobody else has changed", wrong);
  // What the log has lost is said to be left alone.
  const isUnlogged = meant.some(({ isLost }) => isLost) && saysUnknown(words);
  if (saysVerified(ran) && other.length && !isUnlogged) add("verified, but this is not back", other);
  const silent = left.filter(({ key }) => !isNamed(story.ledger, words, key));
  if (silent.length && !isRefused && !(isUncertain && saysUnknown(words))) add("left without a word", silent);
  const [first] = meant;
  const isWhole = ran.only === undefined;
  if (story.isCalm && isWhole && !ran.hasFaults && !first?.stays && code !== 0 && code !== 2 && !isAllowed(ran, first))
    add("cannot be undone");
  return broken;
}

/** An undo of an undo brings everything back but what is gone for good. */
function isAllowed({ ended: { err } }: Ran, first: Ran | undefined): boolean {
  return first?.means !== undefined && [...err.matchAll(/^✗ .*$/gm)].every(([line]) => once.test(line));
}

/** Returns the rules that an undo breaks whatever it may mean. */
function brokenAnyway(story: Story, undo: Undo): string[] {
  const each = undo.meanings.map((meaning) => brokenBy(story, undo, meaning));
  return each.find((broken) => !broken.length) ?? each[0] ?? [];
}

/** Returns the broken rules, a line each. */
export function brokenRule(story: Story): string | undefined {
  const bugs = story.machine.session.filter(({ ended }) => ended.code === 70);
  const again = story.resumed.filter((ran) => story.ledger.writes.some(({ by }) => by === ran));
  return (
    [
      ...bugs.map(({ ended }) => `a bug: ${ended.err}`),
      ...story.undos.flatMap((undo) => brokenAnyway(story, undo).map((rule) => `${undo.ran.name}: ${rule}`)),
      ...again.map(() => "rows that were taken back are sent again"),
    ].join("\n") || undefined
  );
}
