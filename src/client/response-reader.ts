/** From the bytes of an answer to what it says, and the status and headers that it came with. */
import { sanitizeLine } from "../output/sanitize.ts";
import { type AnyOperation, alters } from "../wire/operation.ts";
import { type HttpResponse, NoAnswer } from "../world.ts";
import type { Redactor } from "./redactor.ts";
import { judge, type Verdict } from "./verdict.ts";

const MiB = 1024 * 1024;
/** Bytes of answer at most: to a read, to a change, and of what is no success. */
const most = { read: 256 * MiB, change: 16 * MiB, refusal: MiB };

/** Judges a body that is read to its end, the first time of bytes, the second of text. */
export interface AnswerReader {
  /** Bytes that may wait to be understood. */
  limit: number;
  bytes(body: AsyncIterable<Uint8Array>): Promise<Verdict>;
  text(text: string): Verdict;
}

export function answerReader(
  operation: AnyOperation,
  response: HttpResponse,
  { now, redactor }: { now: () => number; redactor: Redactor },
): AnswerReader {
  const judged = (text: string | undefined, cut = false) =>
    judge(operation, { response, text, cut, now: now(), redactor });
  return {
    limit: most.read,
    text: judged,
    bytes: async (body) => {
      const { chunks, cut } = await bodyOf(operation, response.status, body);
      return judged(chunks && Buffer.concat(chunks).toString("utf8"), cut);
    },
  };
}

interface Body {
  /** Undefined where there is more than any answer to the operation has. */
  chunks: Uint8Array[] | undefined;
  /** It broke off. */
  cut: boolean;
}

async function bodyOf(operation: AnyOperation, status: number, body: HttpResponse["body"]): Promise<Body> {
  const refusal = status >= 300;
  const limit = refusal ? most.refusal : alters(operation) ? most.change : most.read;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) return { chunks: refusal ? chunks : undefined, cut: false };
    }
  } catch (error) {
    // The status alone says that the change was not made, and whatever broke off the rest must not hide that. Of a
    // change that may be made in part only the rest can say.
    const statusSuffices = refusal && !(operation.piecemeal && (status === 400 || status === 409));
    if (!(error instanceof NoAnswer) || !alters(operation) || !statusSuffices) throw error;
    return { chunks, cut: true };
  }
  return { chunks, cut: false };
}

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
