/** A plan as data, and as text for people. */
import type { ChalkInstance } from "chalk";
import { counted, firstOf } from "../../counted.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import { same } from "../canonical.ts";
import type { Difference, FieldChange, Known, Update } from "../difference.ts";
import { calledIn, sections, thingSections } from "../file.ts";
import type { Plan, PlannedDifference } from "../plan.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";
import { Wording } from "./wording.ts";

type Row = Record<string, unknown>;

/** Without what only goes along with another change. */
const differing = ({ fields }: Update): FieldChange[] => fields.filter(({ from, to }) => !same(from, to));

const fieldRow = (wording: Wording, { section }: Difference, change: FieldChange): Row => ({
  field: change.of ? `profile.${change.of.name}` : change.field,
  ...(change.from !== undefined && { from: wording.inFile(section, change, change.from) }),
  to: wording.inFile(section, change, change.to),
});

function changeRow(wording: Wording, { difference: one, requests }: PlannedDifference): Row {
  const { section, name, action, destructive, prune } = one;
  return {
    section,
    name,
    action,
    ...(one.action === "reorder" && { from: wording.order(section, one.from), to: wording.order(section, one.to) }),
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
    changes: plan.changes.map((one) => changeRow(wording, one)),
    requests: plan.requests,
    messages: plan.messages,
    unmanaged,
    ...(used.length && { used: used.map(({ section, name, by }) => ({ section, name, used_by: by })) }),
    ...(refused.length && { refused: refused.map(({ path: _, ...one }) => one) }),
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

interface TextOptions {
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

  constructor(snapshot: Snapshot, plan: Plan, { chalk, fold = (line) => line, rights = [] }: TextOptions) {
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
      [this.#summary(differs), this.#unmanaged("")].filter(Boolean).map((line) => this.#fold(line, 0)),
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
    const chalk = this.#chalk;
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
    const order = (all: readonly Known[]) => this.#wording.order(section, all).join(", ");
    if (one.action === "reorder") return [`from: ${order(one.from)}`, `to: ${order(one.to)}`];
    if (one.action === "remove") return [];
    // Without what is as usual.
    return Object.entries(one.to)
      .filter(([field, to]) => field !== "name" && field !== "email" && !(Array.isArray(to) && !to.length))
      .map(([field, to]) => this.#wording.stated(section, field, to));
  }

  #summary(differs: boolean): string {
    const { changes, requests, messages } = this.#plan;
    const count = (sign: string) =>
      changes.filter(({ difference }) => !difference.prune && signs[difference.action] === sign).length;
    const kept = changes.filter(({ difference }) => difference.prune).length;
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
    const { unmanaged } = this.#plan.comparison;
    const all = thingSections.flatMap((name) => {
      const { one, plural } = sections[name];
      return unmanaged[name] ? [counted(unmanaged[name], one, plural)] : [];
    });
    return all.length ? `${before}Not in the file: ${all.join(", ")}.` : "";
  }
}
