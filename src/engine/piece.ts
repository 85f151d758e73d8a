/** One change of one row, and the requests that pieces become. */
import type { Failure } from "../errors.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Change, Delivery } from "./change.ts";

/** Names a piece in a journal: the row's number, or `row.part` for its second change and later ones. */
export type Key = number | string;

export interface Piece {
  key: Key;
  change: Change;
  /** It was sent before and got no answer. */
  again: boolean;
  /** Why an earlier run could not tell whether it was applied. It is sent again because that is wished for. */
  doubt?: Failure | undefined;
}

export const keyOf = (row: number, part: number): Key => (part === 0 ? row : `${row}.${part}`);

/** What is sent in one go. All pieces are of one operation and one target, and all are sent again or none. */
export interface Request {
  line: string;
  operation: AnyOperation;
  args: Record<string, unknown>;
  pieces: readonly Piece[];
  again: boolean;
  /** It is a part of a refused request, and reading has told what it can of that. */
  judged?: boolean;
}

/** What orders changes: those of one line keep their order, others may run side by side. */
export function lineOf({ operation, args, target }: Change): string {
  if (operation.target) return operation.target(args);
  return operation.inOrder ? operation.name : `${operation.name} ${target.toLowerCase()}`;
}

/** How many rows' worth a piece is. */
export const sizeOf = ({ change: { operation, args } }: Piece): number => operation.merging?.size(args) ?? 1;

/** True where the two may travel in one request. */
export const mergeable = (one: Piece, other: Piece): boolean => {
  const { operation, args } = one.change;
  const { operation: second, args: others } = other.change;
  const { merging } = operation;
  return operation === second && one.again === other.again && !!merging && merging.key(args) === merging.key(others);
};

export function requestOf(pieces: readonly Piece[]): Request {
  const [first] = pieces;
  const { operation, args } = first!.change;
  const all = pieces.map(({ change }) => change.args);
  return {
    line: lineOf(first!.change),
    operation,
    args: pieces.length > 1 ? operation.merging!.combine(all) : args,
    pieces,
    again: first!.again,
  };
}

/** What a refused request becomes, so that bad rows come to stand alone. */
export function halves({ pieces, judged }: Request): [Request, Request] {
  const middle = Math.ceil(pieces.length / 2);
  const half = (some: readonly Piece[]) => ({ ...requestOf(some), ...(judged && { judged }) });
  return [half(pieces.slice(0, middle)), half(pieces.slice(middle))];
}

/** The part of a request's answer that belongs to each of its pieces. */
export function shares({ operation, pieces }: Request, done: Delivery & { outcome: "done" }): Delivery[] {
  const { merging } = operation;
  if (pieces.length === 1 || !merging?.share) return pieces.map(() => done);
  let from = 0;
  return pieces.map((piece) => {
    const size = sizeOf(piece);
    from += size;
    return { ...done, answer: merging.share!(done.answer, from - size, size) };
  });
}
