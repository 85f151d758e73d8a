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

/** Whether the runs revoked invitations or removed emoji, which do not come back, and others have made such ones since. */
export const isMadeAgain = ({ ledger: { writes } }: Story, meant: readonly Ran[]): boolean =>
  writes.some(
    ({ key, by, at, to }) =>
      /^(invitation|emoji) /.test(key) &&
      to === undefined &&
      meant.includes(by as Ran) &&
      writes.some((again) => again.by === "other" && again.key === key && again.at > at),
  );

/** Whether others took people out of lists before an undo did, which deactivates them: lists do not show them any more. */
export const isRemovedUnseen = ({ ledger: { writes } }: Story, undo: Ran): boolean =>
  writes.some(({ key, by, at, to }) => {
    const [, id] = /\|(?:member|subscriber) (\d+)$/.exec(key) ?? [];
    const isMeanwhile = by === "other" && at > undo.from && at <= undo.to;
    const isLeaving = (write: Write) => write.by === undo && write.key === `user ${id}|is_active`;
    return to === undefined && isMeanwhile && id !== undefined && writes.some(isLeaving);
  });

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

/** Whether later runs moved messages that the runs had moved. The channel and the topic of a message are one place. */
function isMovedOn({ ledger: { writes } }: Story, meant: readonly Ran[]): boolean {
  const isPlace = (key: string) => /^message .*\|(stream_id|topic)$/.test(key);
  const isLater = ({ key, by, at }: Write) =>
    isPlace(key) &&
    by !== "other" &&
    !by.means &&
    !meant.includes(by) &&
    writes.some(
      (own) => isPlace(own.key) && thingOf(own.key) === thingOf(key) && meant.includes(own.by as Ran) && own.at < at,
    );
  return writes.some(isLater);
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
    isMovedOn(story, meant) ||
    isSetBack(story, meant) ||
    ledger.writes.some(({ by, key }) => by === "other" && things.has(thingOf(key)))
  );
}
