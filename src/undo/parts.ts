/** Sorts the changes of runs: values and lists of a thing become one part, whatever changed in between. */

import { removeEmoji } from "../api/emoji.ts";
import { createInvitationLink, sendInvitations } from "../api/invitations.ts";
import { updateMessage } from "../api/messages.ts";
import { operationNamed } from "../api/registry.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { creationOf, madeBy, madeKey, membershipsOf, removalOf } from "./kind-steps.ts";
import { type Between, messageKey } from "./later-changes.ts";
import { ListParts } from "./list-parts.ts";
import { movedIds, moveParts } from "./move-parts.ts";
import type { Part, RunChange, ThingPart } from "./part.ts";
import { DomainCount, sideChanges } from "./side-changes.ts";
import { ValueParts } from "./value-parts.ts";

/** Reading does not tell what was there. */
const unreadable: ReadonlySet<AnyOperation> = new Set([removeEmoji, updateMessage]);

const isReadable = (operation: AnyOperation) =>
  (operation.before ?? operation.previous) !== undefined && !unreadable.has(operation);

const kindOf = (entry: LogEntry): ThingPart["kind"] => {
  if (entry.operation === updateMessage.name && entry.from && movedIds(entry)) return "moved";
  if (entry.operation === sendInvitations.name || entry.operation === createInvitationLink.name) return "invited";
  if (entry.outcome === "unknown" && creationOf(entry)) return "lost";
  return removalOf(entry) && entry.from ? "removed" : "impossible";
};

/** Returns the ids, or the name, of what an entry certainly made. */
function idsMade(entry: LogEntry): readonly unknown[] {
  const creation = entry.outcome === "done" ? creationOf(entry) : undefined;
  return creation ? madeBy(creation, entry) : [];
}

/** What runs changed of a thing that they made belongs to what they made. It is not compared if it may not be applied. */
function withLater(part: ThingPart, { to = {}, outcome }: LogEntry): ThingPart {
  const later = Object.entries(to).map(([each, value]) => [each, outcome === "done" ? value : undefined]);
  return { ...part, entry: { ...part.entry, to: { ...part.entry.to, ...Object.fromEntries(later) } } };
}

class RunParts {
  readonly #values: ValueParts;
  readonly #lists: ListParts;
  readonly #things: ThingPart[] = [];
  /** By thing that the runs made, the place of its part. */
  readonly #made = new Map<string | undefined, number>();
  readonly #removedDomains = new DomainCount();

  constructor(private readonly between: Between) {
    this.#values = new ValueParts(between);
    this.#lists = new ListParts(between);
  }

  /** Adds a line of the log, and what the server changed beside it. */
  add(line: LogEntry, position: number): void {
    const dropped = sideChanges(line, this.#values.byKey, this.#removedDomains.before(line));
    for (const entry of [line, ...dropped]) if (entry.outcome !== "refused") this.#add({ position, entry, line });
  }

  #add(change: RunChange): void {
    const { position, entry } = change;
    if (this.#belongsToMade(entry)) return;
    const kind = kindOf(entry);
    const made = idsMade(entry);
    const memberships = entry.outcome === "done" ? membershipsOf(entry) : undefined;
    const operation = operationNamed(entry.operation);
    if (made.length) {
      for (const id of made) this.#addMade(change, id);
    } else if (memberships) {
      this.#lists.add(change, memberships);
    } else if (entry.to && operation && isReadable(operation) && kind === "impossible") {
      this.#values.add(change, operation);
    } else {
      this.#things.push({ position, kind, entry: kind === "removed" ? this.#values.removal(change) : entry });
    }
  }

  /** Returns whether an entry is about a thing that the runs made. Then it is added to its part. */
  #belongsToMade(entry: LogEntry): boolean {
    const place = this.#made.get(entry.thing);
    const part = place === undefined ? undefined : this.#things[place];
    if (!part || place === undefined) return false;
    this.#things[place] = withLater(part, entry);
    return true;
  }

  #addMade({ position, entry }: RunChange, id: unknown): void {
    this.#made.set(madeKey(entry, id), this.#things.length);
    this.#things.push({ position, entry, kind: "made", id });
  }

  /** The parts in the order in which they are taken back: the last first. */
  get all(): Part[] {
    const moved = this.#things.flatMap(({ kind, ...part }) => (kind === "moved" ? [{ kind, ...part }] : []));
    const moves = moveParts(moved, (id, first, last) => this.between(messageKey(id), first, last)?.run);
    const things = [...this.#things.filter(({ kind }) => kind !== "moved"), ...this.#values.overtaken];
    const all: Part[] = [...things, ...this.#lists.all, ...moves, ...this.#values.changed];
    return all.sort((one, other) => other.position - one.position);
  }
}

/** Returns the parts in the order in which they are taken back: the last first. */
export function partsOf(entries: readonly LogEntry[], between: Between = () => undefined): Part[] {
  const parts = new RunParts(between);
  for (const [position, entry] of entries.entries()) parts.add(entry, position);
  return parts.all;
}
