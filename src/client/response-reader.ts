/** Reads an answer with its status and headers. */
import { MiB } from "../common/unit-sizes.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { type AnyOperation, isChange } from "../wire/operation.ts";
import { type HttpResponse, NoAnswer } from "../world/world.ts";
import type { Redactor } from "./redactor.ts";
import { classify, classifyFailure, type Failed, type Verdict } from "./verdict.ts";

/** The largest answers in bytes: to a read, to a change, and of errors. */
const maxSizes = { read: 256 * MiB, change: 16 * MiB, refusal: MiB };

/** Evaluates a complete body, as bytes or as text. */
export interface AnswerReader {
  /** The largest number of bytes that wait to be parsed. */
  limit: number;
  bytes(body: AsyncIterable<Uint8Array>): Promise<Verdict>;
  text(text: string): Verdict;
  /** Evaluates a body whose status says that it is no success. */
  failure(body: AsyncIterable<Uint8Array>): Promise<Failed>;
}

export function answerReader(
  operation: AnyOperation,
  response: HttpResponse,
  { now, redactor }: { now: () => number; redactor: Redactor },
): AnswerReader {
  const { status } = response;
  const isRefusal = status >= 300;
  const limit = isRefusal ? maxSizes.refusal : isChange(operation) ? maxSizes.change : maxSizes.read;
  const received = (text: string | undefined, isCut = false) => ({ response, text, isCut, now: now(), redactor });
  const receive = async (body: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = [];
    const text = () => Buffer.concat(chunks).toString("utf8");
    let size = 0;
    try {
      for await (const chunk of body) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > limit) return received(isRefusal ? text() : undefined);
      }
    } catch (error) {
      // The status shows that the change was not made, even if the rest is missing.
      // If a part may be made, only the rest can tell.
      const isStatusEnough = isRefusal && !(operation.applyOrder && (status === 400 || status === 409));
      if (!(error instanceof NoAnswer) || !isChange(operation) || !isStatusEnough) throw error;
      return received(text(), true);
    }
    return received(text());
  };
  return {
    limit: maxSizes.read,
    text: (text) => classify(operation, received(text)),
    bytes: async (body) => classify(operation, await receive(body)),
    failure: async (body) => classifyFailure(await receive(body)),
  };
}

type Head = Pick<HttpResponse, "status" | "headers">;

// Kept outside of answers: few callers need them, and journals and results must not contain them.
const heads = new WeakMap<object, { head: Head; redactor: Redactor }>();

export const rememberHead = (answer: object, head: Head, redactor: Redactor): void => {
  heads.set(answer, { head, redactor });
};

/** By lower-case name. */
export const headersOf = (answer: object): HttpResponse["headers"] => heads.get(answer)?.head.headers ?? {};

/** The status and headers as text, ending with an empty line. */
export function headText(answer: object): string {
  const { head, redactor } = heads.get(answer)!;
  const lines = [
    `HTTP ${head.status}`,
    ...Object.entries(head.headers).map(([name, value]) => `${name}: ${redactor.text(value)}`),
  ];
  return [...lines.map(sanitizeLine), "", ""].join("\n");
}
