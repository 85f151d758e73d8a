/** What a run and the ones before it have made, told by their journal. */

import { removePlayground } from "../../../api/playgrounds.ts";
import type { ChangeResult } from "../../../engine/change.ts";
import type { JournalReplay } from "../../../engine/journal-replay.ts";
import { keyOf } from "../../../engine/task.ts";
import type { Layout, Order } from "../../../organization/apply/steps.ts";
import type { LastIds } from "../../../organization/last-ids.ts";
import { languageKept, languageOf } from "../../../organization/order/playgrounds.ts";

export class MadeSoFar {
  /** Ids by the number of the difference. */
  readonly made = new Map<number, number>();
  /** Of those whose request got no answer, the attributes that it gave them. */
  readonly asked = new Map<number, readonly string[]>();
  /** What was removed to be made anew. */
  readonly gone = new Set<number>();
  /** The default language of code blocks, of which the playground that was removed may have taken it along. */
  readonly emptied = new Map<number, string>();
  /** Of those that earlier runs have made, the attributes that the server has taken. */
  readonly given = new Map<number, readonly string[]>();
  readonly last: LastIds | undefined;
  readonly #layout: Layout;

  constructor(layout: Layout, { differences, last }: Order, earlier: JournalReplay | undefined) {
    this.#layout = layout;
    this.last = last;
    for (const of of differences.keys()) {
      const maker = layout.maker(of);
      const known = maker && earlier?.known(maker.key);
      if (known) this.learn(of, known);
      const parts = [...layout.partsOf(of).entries()];
      const outcomeOf = (part: number) => earlier?.known(keyOf(layout.row(of), part))?.outcome;
      const taken = parts.flatMap(([part, { fields }]) => (outcomeOf(part) === "done" ? fields : []));
      if (this.made.has(of)) this.given.set(of, taken);
      const [removed] = parts.find(([, { operation }]) => operation === removePlayground.name) ?? [];
      const outcome = removed === undefined ? undefined : outcomeOf(removed);
      if (outcome !== "done" && outcome !== "unknown") continue;
      this.gone.add(of);
      const back = parts.find(([, { part }]) => part === languageKept);
      if (back && outcomeOf(back[0]) !== "done") this.emptied.set(of, languageOf(differences[of]!));
    }
  }

  /** From what became of the request that makes it. */
  learn(of: number, result: ChangeResult): void {
    const { step } = this.#layout.maker(of)!;
    this.asked.delete(of);
    const id = result.outcome === "done" ? result.answer[step.makes!] : undefined;
    if (typeof id === "number") this.made.set(of, id);
    else if (result.outcome === "unknown" || result.outcome === "done") this.asked.set(of, step.fields);
  }
}
