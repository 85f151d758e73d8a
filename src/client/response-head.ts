/** The status and headers that an answer came with, for who asks for them. */
import { sanitizeLine } from "../output/sanitize.ts";
import type { HttpResponse } from "../world.ts";
import type { Redactor } from "./redactor.ts";

type Head = Pick<HttpResponse, "status" | "headers">;

// Beside the answers and not in them: of most nobody ever asks, and journals and results hold none of it.
const heads = new WeakMap<object, { head: Head; redactor: Redactor }>();

export const keepHead = (answer: object, head: Head, redactor: Redactor): void => {
  heads.set(answer, { head, redactor });
};

/** By their names in lower case. */
export const headersOf = (answer: object): HttpResponse["headers"] => heads.get(answer)?.head.headers ?? {};

/** As text: the status, a header a line, an empty line. */
export function headOf(answer: object): string {
  const { head, redactor } = heads.get(answer)!;
  const lines = [
    `HTTP ${head.status}`,
    ...Object.entries(head.headers).map(([name, value]) => `${name}: ${redactor.text(value)}`),
  ];
  return [...lines.map(sanitizeLine), "", ""].join("\n");
}
