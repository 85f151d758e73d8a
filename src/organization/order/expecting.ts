/** What the server is to find before it changes a permission (`old`), as far as that can be known when the request goes. */
import type { GroupSetting } from "../../api/group-setting.ts";
import { argsOf, type Draft, type Piece } from "./draft.ts";
import { factsOfArgs } from "./mentions.ts";

type Update = { readonly new: GroupSetting; readonly old?: GroupSetting };

/** One that names nobody who is here has no other form than nobody's, which it is not. */
export const expectable = (value: unknown): value is GroupSetting =>
  typeof value === "number" ||
  (typeof value === "object" && Object.values(value!).some((list) => (list as unknown[]).length > 0));

const isExpecting = (value: unknown): value is Update => typeof value === "object" && value !== null && "old" in value;

const expects = (args: Readonly<Record<string, unknown>>): boolean => Object.values(args).some(isExpecting);

const withoutOld = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isExpecting(value) ? { new: value.new } : value]),
  );

/** What had better be over before somebody is brought back. */
export const asRead = "permissions stand as they were read";
const back = /^user \d+ is in use$/;

/**
 * Whoever is brought back stands in permissions again that did not show them: those are changed before. What names those
 * who come back goes after, and expects nothing.
 */
export function withExpectations(drafts: readonly Draft[]): Draft[] {
  const returning = new Set(drafts.flatMap(({ provides = [] }) => provides.filter((fact) => back.test(fact))));
  if (!returning.size) return [...drafts];
  const names = (args: Readonly<Record<string, unknown>>, draft: Draft) =>
    factsOfArgs(draft.operation, args).needs.some((fact) => returning.has(fact));
  return drafts.map((draft) => {
    if (draft.operation.name === "users.reactivate") return { ...draft, follows: [...(draft.follows ?? []), asRead] };
    if (!expects(argsOf(draft))) return draft;
    return names(argsOf(draft), draft)
      ? unexpecting(draft)
      : { ...draft, provides: [...(draft.provides ?? []), asRead] };
  });
}

/** Whether it expects a permission to be as it was read, which it may be no more when somebody has come back. */
export const standsAsRead = ({ provides = [] }: Draft): boolean => provides.includes(asRead);

/** The same request, whatever the permissions are that it changes. */
export const unexpecting = (draft: Draft): Draft => ({
  ...draft,
  args: withoutOld(draft.args),
  pieces: draft.pieces.map((piece): Piece => ({ ...piece, args: withoutOld(piece.args) })),
  ...(draft.provides && { provides: draft.provides.filter((fact) => fact !== asRead) }),
});
