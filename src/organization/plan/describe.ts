/** A plan as data, and as text for people. */
import type { ChalkInstance } from "chalk";
import { counted, firstOf } from "../../counted.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import { same } from "../canonical.ts";
import type { Difference, FieldChange, Update } from "../difference.ts";
import { sections } from "../file.ts";
import { calledIn } from "../labels.ts";
import type { Plan, PlannedDifference } from "../plan.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";
import { sectionWords } from "../words.ts";
import { Wording } from "./wording.ts";

type Row = Record<string, unknown>;

/** Without what only goes along with another change. */
const differing = ({ fields }: Update): FieldChange[] => fields.filter(({ from, to }) => !same(from, to));

const fieldRow = (wording: Wording, { section }: Difference, change: FieldChange): Row => ({
  field: change.of ? `profile.${change.of.name}` : change.field,
  ...(change.from !== undefined && { from: wording.inFile(section, change, "from") }),
  to: wording.inFile(section, change, "to"),
});

function changeRow(wording: Wording, plan: Plan, { difference: one, requests }: PlannedDifference): Row {
  const { section, name, action, destructive, prune } = one;
  const order = (all: readonly (number | { new: string })[]) =>
    wording.order(section, all, plan.comparison.differences, plan.result);
  return {
    section,
    name,
    action,
    ...(one.action === "reorder" && { from: order(one.from), to: order(one.to) }),
    ...(one.action === "remove" && { from: wording.ofNew(section, one.from) }),
    ...((one.action === "create" || one.action === "invite") && { to: wording.ofNew(section, one.to) }),
    ...("fields" in one &&
      one.fields.length && { fields: differing(one).map((change) => fieldRow(wording, one, change)) }),
    ...(destructive && { destructive }),
    ...(prune && { prune }),
    requests,
  };
}

/** As `-o json` gives it. */
export function planRecord({ site, email, feature_level }: Snapshot, plan: Plan): Row {
  const wording = new Wording(plan.result);
  const { used, refused, notices, unmanaged } = plan.comparison;
  return {
    site,
    email,
    feature_level,
    changes: plan.changes.map((one) => changeRow(wording, plan, one)),
    requests: plan.requests,
    messages: plan.messages,
    unmanaged,
    ...(used.length && { used: used.map(({ section, name, by }) => ({ section, name, used_by: by })) }),
    ...(refused.length && {
      refused: refused.map(({ section, name, field, says, needs }) => ({
        section,
        name,
        ...(field && { field }),
        says,
        ...(needs && { needs }),
      })),
    }),
    ...(plan.guards.length && { guards: plan.guards }),
    ...(notices.length && { notices: notices.map(({ says }) => says) }),
  };
}

const signs: Readonly<Record<Difference["action"], string>> = {
  create: "+",
  invite: "+",
  update: "~",
  unarchive: "~",
  reactivate: "~",
  reorder: "~",
  archive: "-",
  deactivate: "-",
  remove: "-",
};

const besides: Readonly<Partial<Record<Difference["action"], string>>> = {
  invite: "invited",
  unarchive: "out of the archive",
  reactivate: "reactivated",
  archive: "archived",
  deactivate: "deactivated",
};

/** What something new is to be, without what is as usual. */
const telling = (to: Row): [string, unknown][] =>
  Object.entries(to).filter(
    ([field, value]) => field !== "name" && field !== "email" && !(Array.isArray(value) && !value.length),
  );

interface Telling {
  chalk: ChalkInstance;
  /** Breaks lines that are too long; what follows the first is indented by so much. */
  fold?: ((line: string, hanging: number) => string) | undefined;
  /** Who gains and who loses what, in sentences. */
  rights?: readonly string[];
}

/** Lines of the plan. */
export class PlanText {
  readonly #plan: Plan;
  readonly #snapshot: Snapshot;
  readonly #wording: Wording;
  readonly #chalk: ChalkInstance;
  readonly #rights: readonly string[];
  readonly #folded: (line: string, hanging: number) => string;
  readonly #names: ReadonlyMap<number, string>;

  constructor(snapshot: Snapshot, plan: Plan, { chalk, fold = (line) => line, rights = [] }: Telling) {
    this.#rights = rights;
    this.#plan = plan;
    this.#snapshot = snapshot;
    this.#wording = new Wording(plan.result);
    this.#chalk = chalk;
    this.#folded = fold;
    this.#names = new Map(everybodyOf(snapshot).map(({ user_id, full_name }) => [user_id, full_name]));
  }

  text(): string {
    const { changes, comparison, guards } = this.#plan;
    const { site, email, feature_level } = this.#snapshot;
    const { refused, used } = comparison;
    const head = `${site} as ${email}, level ${feature_level}`;
    const differs = changes.some(({ difference }) => !difference.prune) || refused.length > 0;
    // A job that reports drift prints one line where there is none.
    const kept = used.map((one) => `${calledIn(one)} (by ${firstOf(one.by, 3)})`);
    if (!differs && !changes.length && !guards.length) {
      const besides = kept.length ? ` Kept because in use: ${firstOf(kept, 5)}.` : "";
      return `${this.#fold(`${site} matches the file.${besides}${this.#unmanaged(" ")}`, 0)}\n`;
    }
    const parts = [
      [this.#chalk.bold(sanitizeLine(head))],
      changes.flatMap(({ difference }) => this.#lines(difference)),
      kept.map((one) => this.#fold(`  kept because in use: ${one}`, 4)),
      refused.map((one) => this.#bad(`✗ ${calledIn(one)}: ${one.says}`)),
      guards.map(({ says, lifted }) => this.#bad(`✗ ${says}${lifted ? ` (${lifted})` : ""}`)),
      this.#rights.map((line) => this.#fold(line, 2)),
      [
        this.#fold(this.#summary(differs), 0),
        ...[this.#unmanaged("")].filter(Boolean).map((line) => this.#fold(line, 0)),
      ],
    ];
    return `${parts
      .filter((part) => part.length)
      .map((part) => part.join("\n"))
      .join("\n\n")}\n`;
  }

  #fold(line: string, hanging: number): string {
    // A name that differs by what nobody sees is another one.
    return this.#folded(sanitizeLine(escaped(line)), hanging);
  }

  #bad(line: string): string {
    return this.#chalk.red(this.#fold(line, 2));
  }

  #called(one: Difference): string {
    const person = one.section === "people" && "id" in one ? this.#names.get(one.id!) : undefined;
    if (person !== undefined) return `person ${person}${person === one.name ? "" : ` (${one.name})`}`;
    const renamed =
      "fields" in one && one.section !== "settings"
        ? one.fields.find(({ field }) => field === "name" || field === "pattern")
        : undefined;
    return `${calledIn(one)}${renamed ? ` (was ${renamed.from})` : ""}`;
  }

  #lines(one: Difference): string[] {
    const { chalk } = { chalk: this.#chalk };
    const sign = signs[one.action];
    const paint = sign === "+" ? chalk.green : sign === "-" ? chalk.red : chalk.yellow;
    const remark = [one.action in besides && besides[one.action], one.prune && "only with --prune"]
      .filter(Boolean)
      .join(", ");
    const head = this.#fold(`${sign} ${this.#called(one)}${remark ? `: ${remark}` : ""}`, 4);
    return [
      one.prune ? chalk.dim(head) : paint(head),
      ...this.#details(one).map((line) => this.#fold(`    ${line}`, 6)),
      ...(one.destructive ?? []).map((says) => chalk.bold(this.#fold(`  ! ${says}`, 4))),
    ];
  }

  #details(one: Difference): string[] {
    const { section } = one;
    if ("fields" in one) return differing(one).map((change) => this.#wording.line(section, change));
    if (one.action === "reorder") {
      const [from, to] = [one.from, one.to].map((all) =>
        this.#wording.order(section, all, this.#plan.comparison.differences, this.#plan.result),
      );
      return [`from: ${from!.join(", ")}`, `to: ${to!.join(", ")}`];
    }
    if (one.action === "remove") return [];
    return telling(one.to as Row).map(([field, to]) => this.#wording.stated(section, field, to));
  }

  #summary(differs: boolean): string {
    const { changes, requests, messages } = this.#plan;
    const real = changes
      .filter(({ difference }) => !difference.prune)
      .map(({ difference }) => signs[difference.action]);
    const kept = changes.length - real.length;
    const count = (sign: string) => real.filter((one) => one === sign).length;
    const counts = [
      count("+") && `${count("+")} to create`,
      count("~") && `${count("~")} to change`,
      count("-") && `${count("-")} to remove`,
      kept && `${kept} to remove (kept: no --prune)`,
    ].filter(Boolean);
    if (!differs) return `No changes${kept ? `; ${counts.join(", ")}` : ""}.`;
    const people = messages ? `, ${counted(messages, "person gets", "people get")} a message` : "";
    return `${counts.join(", ") || "No changes"}. ${counted(requests, "request")}${people}.`;
  }

  #unmanaged(before: string): string {
    const all = sectionWords.flatMap((name) => {
      const count = (this.#plan.comparison.unmanaged as Readonly<Record<string, number>>)[name];
      const section = sections[name];
      return count && "plural" in section ? [counted(count, section.one, section.plural)] : [];
    });
    return all.length ? `${before}Not in the file: ${all.join(", ")}.` : "";
  }
}
