/** From the bytes of an answer to what it says. */
import { type AnyOperation, alters, reads } from "../wire/operation.ts";
import { listIn } from "../wire/shape.ts";
import { type HttpResponse, NoAnswer } from "../world.ts";
import { type Arriving, arriving, type Hear, piecemeal } from "./arriving.ts";
import type { Redactor } from "./redactor.ts";
import { exactly, type Heard, judge, type Verdict } from "./verdict.ts";

const MiB = 1024 * 1024;
/** Bytes of answer at most: to a read, to a change, and of what is no success. */
const most = { read: 256 * MiB, change: 16 * MiB, refusal: MiB };
/** A larger answer is read in pieces, so that signals and time limits get their turn. */
const large = MiB;

export function responseReader(
  operation: AnyOperation,
  response: HttpResponse,
  { now, redactor, stop }: { now: () => number; redactor: Redactor; stop: AbortSignal },
): Hear {
  const { status } = response;
  const told = (text: string | undefined, cut = false) =>
    judge(operation, { response, text, cut, now: now(), redactor });
  async function whole({ chunks, cut }: Got): Promise<Verdict> {
    const text = chunks && Buffer.concat(chunks).toString("utf8");
    const verdict = told(text, cut);
    if (verdict.kind !== "success" || !verdict.inexact) return verdict;
    return exactly(operation, verdict, { text: text!, redactor });
  }
  const hear: Hear = {
    limit: most.read,
    stop,
    text: told,
    async bytes(body) {
      const got = await bodyOf(operation, status, body);
      const member = reads(operation) && status < 300 ? listIn(operation.result) : undefined;
      if (member === undefined || got.cut || got.size < large || !got.chunks) return whole(got);
      const again: Hear = { ...hear, bytes: async (rest) => whole(await bodyOf(operation, status, rest)) };
      const pieces = { status, headers: response.headers, body: piecemeal(got.chunks, stop) };
      const found = await arriving(operation, { member, whole: true }, pieces, again);
      return found.kind === "arriving" ? gathered(found, member) : found;
    },
  };
  return hear;
}

/** The verdict on an answer whose list has arrived. */
async function gathered({ batches }: Arriving, member: string): Promise<Verdict> {
  const all: unknown[] = [];
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return value.kind === "success" ? { ...value, answer: { ...value.answer, [member]: all } } : value;
    for (const record of value) all.push(record);
  }
}

interface Got extends Pick<Heard, "cut"> {
  /** Undefined where there is more than any answer to the operation has. */
  chunks: Uint8Array[] | undefined;
  size: number;
}

async function bodyOf(operation: AnyOperation, status: number, body: HttpResponse["body"]): Promise<Got> {
  const refusal = status >= 300;
  const limit = refusal ? most.refusal : alters(operation) ? most.change : most.read;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit && refusal) break;
      if (size > limit) return { chunks: undefined, size, cut };
    }
  } catch (error) {
    // The status alone says that the change was not made, and whatever broke off the rest must not hide that. Of a
    // change that may be made in part only the rest can tell.
    const telling = refusal && !(operation.piecemeal && (status === 400 || status === 409));
    if (!(error instanceof NoAnswer) || !alters(operation) || !telling) throw error;
    cut = true;
  }
  return { chunks, size, cut };
}
