/** What servers change beside a change, such as the default channels when a channel is archived. */
import { deactivateBot } from "../api/bots.ts";
import { archiveChannel, updateChannel } from "../api/channels.ts";
import { addDomain, removeDomain } from "../api/domains.ts";
import { removeLinkifier, reorderLinkifiers } from "../api/linkifiers.ts";
import { updateOrganization } from "../api/organization.ts";
import { deactivateUser } from "../api/people.ts";
import { removePlayground } from "../api/playgrounds.ts";
import { operationNamed } from "../api/registry.ts";
import { membersOf, numbersIn } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { channelSettings } from "../model/organization.ts";
import type { AnyOperation } from "../wire/operation.ts";

/** A value that the run had set. */
interface SetBefore {
  readonly name: string;
  readonly to: unknown;
  readonly entry: LogEntry;
}

/** Counts the domains that runs removed, less those that they added. A run reads once how many there are. */
export class DomainCount {
  readonly #removed = new Map<string, number>();

  /** Returns the count of the run before an entry, and counts the entry. */
  before({ run, operation, outcome }: LogEntry): number {
    const count = this.#removed.get(run) ?? 0;
    const removed = Number(operation === removeDomain.name) - Number(operation === addDomain.name);
    if (outcome === "done") this.#removed.set(run, count + removed);
    return count;
  }
}

/**
 * Returns what the server changed beside the change, as changes of their own. `earlier`: what the run had set until then.
 * The log has what was there before the run. `removedDomains`: the number of domains that it had removed, less those added.
 */
export function sideChanges(
  entry: LogEntry,
  earlier: ReadonlyMap<string, SetBefore>,
  removedDomains: number,
): LogEntry[] {
  const { at = {}, from = {} } = entry;
  const also = ({ name }: AnyOperation, more: Partial<LogEntry>): LogEntry => ({ ...entry, operation: name, ...more });
  const isNow = (thing: string, name: string, value: unknown, isBefore: boolean) => {
    const set = earlier.get(`${thing} ${name} `);
    return set ? set.to === value : isBefore;
  };
  const settings = membersOf(from.settings);
  const setting = { target: "settings", thing: "organization", at: {} };
  const dropped = (names: readonly string[], value: unknown, after: unknown): LogEntry[] =>
    names
      .filter((name) => isNow("organization", name, value, settings[name] === value))
      .map((name) => also(updateOrganization, { ...setting, from: { [name]: value }, to: { [name]: after } }));
  switch (operationNamed(entry.operation)) {
    case archiveChannel: {
      const { is_default_stream } = from;
      const listed = { from: { is_default_stream }, to: { is_default_stream: false } };
      return [
        ...(is_default_stream === true ? [also(updateChannel, listed)] : []),
        ...dropped(channelSettings, at.stream_id, -1),
      ];
    }
    case removeLinkifier: {
      const order = numbersIn(from.ordered_linkifier_ids);
      const now = earlier.get("linkifiers ordered_linkifier_ids ")?.to ?? order;
      const to = { ordered_linkifier_ids: numbersIn(now).filter((id) => id !== at.filter_id) };
      const all = { target: "linkifiers", thing: "linkifiers", at: {}, from: { ordered_linkifier_ids: order }, to };
      return order.length ? [also(reorderLinkifiers, all)] : [];
    }
    case removeDomain:
      return from.domains === removedDomains + 1 ? dropped(["emails_restricted_to_domains"], true, false) : [];
    case removePlayground:
      return dropped(["default_code_block_language"], from.pygments_language, "");
    case deactivateUser: {
      const bots = numbersIn(from.bots);
      const given = [...earlier.values()].map(({ name, entry }) => name === "bot_owner_id" && entry.at?.bot_id);
      const state = { from: { is_active: true }, to: { is_active: false } };
      return [...new Set([...bots, ...given.flatMap(numbersIn)])]
        .filter((bot) => isNow(`user ${bot}`, "bot_owner_id", at.user_id, bots.includes(bot)))
        .map((bot_id) =>
          also(deactivateBot, { ...state, target: String(bot_id), thing: `user ${bot_id}`, at: { bot_id } }),
        );
    }
    default:
      return [];
  }
}
