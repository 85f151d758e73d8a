/** Whether others had to do with what runs changed: an undo may tell of a conflict that the ledger does not see. */
import { isSame, type Write } from "./ledger.ts";
import type { Ran } from "./machine.ts";
import type { Story } from "./story.ts";
import { thingOf } from "./view.ts";

/** Whether others added to an order or removed from it, as the runs did: the ledger compares only what stayed in it. */
export const isReordered = ({ ledger: { writes } }: Story, meant: readonly Ran[]): boolean =>
  writes.some(
    ({ key, by }) =>
      key.startsWith("orders|") &&
      by === "other" &&
      writes.some((own) => own.key === key && meant.includes(own.by as Ran)),
  );

/** Whether somebody deactivated people whom the runs put into lists: nobody sees whether they are still there. */
function isHidden({ ledger: { writes } }: Story, meant: readonly Ran[]): boolean {
  const people = writes.flatMap(({ key, by }) => {
    const [, id] = /\|(?:member|subscriber) (\d+)$/.exec(key) ?? [];
    return id !== undefined && meant.includes(by as Ran) ? [`user ${id}|is_active`] : [];
  });
  return writes.some(({ key, by, to }) => people.includes(key) && to === "false" && !meant.includes(by as Ran));
}

/** Whether what the runs removed, or set back themselves, was changed since. */
function isSetBack({ ledger }: Story, meant: readonly Ran[]): boolean {
  const isOwn = ({ by }: Write) => meant.includes(by as Ran);
  return [...new Set(ledger.writes.filter(isOwn).map(({ key }) => key))].some((key) => {
    const all = ledger.of(key);
    const own = all.filter(isOwn);
    const last = own.at(-1);
    const isBack = own.some(({ to }) => to === undefined) || isSame(key, own[0]?.from, last?.to);
    return isBack && all.some((write) => write.at > (last?.at ?? 0) && !isOwn(write));
  });
}

/** Whether others, or undos of several runs, had to do with what runs changed. */
export function isEntangled(story: Story, meant: readonly Ran[]): boolean {
  const { ledger, undos } = story;
  const things = new Set(ledger.writes.flatMap(({ by, key }) => (meant.includes(by as Ran) ? [thingOf(key)] : [])));
  // What is in order again may have been in another order since.
  const isOtherOrder = ledger.writes.some(
    ({ by, key }) =>
      key.startsWith("orders|") && things.has("orders") && by !== "other" && !meant.includes(by) && !by.means,
  );
  const isJoint = undos.some(
    ({ ran: { means = [] } }) => means.length > 1 && means.some((each) => meant.includes(each)),
  );
  return (
    isJoint ||
    isOtherOrder ||
    isHidden(story, meant) ||
    isSetBack(story, meant) ||
    ledger.writes.some(({ by, key }) => by === "other" && things.has(thingOf(key)))
  );
}
