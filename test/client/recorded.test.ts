/** The client understands every recorded answer of a real server. */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Redactor } from "../../src/client/redactor.ts";
import { classify } from "../../src/client/verdict.ts";
import { hasMembers } from "../../src/common/object-members.ts";
import { operationOf, routes } from "../../src/sandbox/index.ts";
import { type AnyOperation, isRead } from "../../src/wire/operation.ts";
import { itemOf, shapeOf } from "../../src/wire/shape.ts";
import type { Method } from "../../src/world/world.ts";
import { readRecords } from "../records.ts";
import { piecesOf, textsIn } from "../wire/unparsed-records.ts";

interface RecordedAnswer {
  case: string;
  method: Method;
  path: string;
  form?: Record<string, string> | [string, string][] | null;
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

const recorded = readdirSync(new URL("../data/recorded/", import.meta.url)).flatMap((file) =>
  readRecords<RecordedAnswer>(`recorded/${basename(file, ".ndjson")}`).map((each) => ({ file, ...each })),
);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Some recordings contain only parts of messages. */
const isPartial = ({ path, body }: RecordedAnswer): boolean => {
  if (!hasMembers(body) || body.result !== "success" || !/^\/messages(\/\d+(\/history)?)?$/.test(path)) return false;
  const { message = [], messages, message_history } = body;
  const records = [message, list(messages), list(message_history)].flat();
  const known = "message" in body || "messages" in body || "message_history" in body;
  return !known
    ? "raw_content" in body
    : records.some((each) => !hasMembers(each) || !("timestamp" in each && "content" in each));
};

/** Some recordings contain only one member of the answer. */
const isShortened = (answered: RecordedAnswer): boolean =>
  /^GET \/streams\/id of that private channel by /.test(answered.case) ||
  isPartial(answered) ||
  (hasMembers(answered.body) && !("result" in answered.body));

/** Operations that are newer than the recordings. */
const isNewer = ({ since = 0 }: AnyOperation) => since > 371;

const operations = new Map(routes.map(({ operation }) => [operation.name, operation]));

function operationFor({ method, path, form }: RecordedAnswer): AnyOperation | undefined {
  const override =
    method === "POST" ? new Map(Array.isArray(form) ? form : Object.entries(form ?? {})).get("method") : undefined;
  const url = `https://chat.example/api/v1${path}`;
  const name = URL.canParse(url)
    ? operationOf({ method: (override ?? method) as Method, url, headers: {}, timeout: 0 }, 442)
    : undefined;
  return name === undefined ? undefined : operations.get(name);
}

const answers = recorded.flatMap((answered) => {
  const operation = answered.method === "HEAD" || answered.method === "OPTIONS" ? undefined : operationFor(answered);
  return operation && !isShortened(answered) ? [{ ...answered, operation }] : [];
});

const verdictOf = (
  operation: AnyOperation,
  { status, headers = {}, body }: Omit<RecordedAnswer, "case" | "method" | "path">,
) =>
  classify(operation, {
    response: { status, headers },
    text: typeof body === "string" ? body : JSON.stringify(body),
    isCut: false,
    now: 0,
    redactor: new Redactor([]),
  });

/** The number of unparsed records. */
let unparsed = 0;
afterAll(() => {
  expect(unparsed).toBeGreaterThan(200);
});

describe.each([...operations])("%s", (name, operation) => {
  const own = answers.filter((answered) => answered.operation.name === name);
  const successes = own.filter(({ body }) => hasMembers(body) && body.result === "success");

  // A redirect has no answer.
  if (isRead(operation) && !isNewer(operation) && operation.name !== "icon.show")
    test("has a recorded answer", () => {
      expect(successes.length).toBeGreaterThan(0);
    });

  test("every recorded success has the stated shape", () => {
    for (const answered of successes) {
      const {
        result,
        msg,
        ignored_parameters_unsupported: ignored = [],
        ...answer
      } = answered.body as Record<string, unknown>;
      const verdict = verdictOf(operation, answered);
      expect({ case: answered.case, ...verdict }).toMatchObject({
        case: answered.case,
        kind: "success",
        answer,
        ignored,
      });
    }
  });

  const entries = Object.entries(shapeOf(operation.result).entries ?? {});
  const member = entries.find(([, { type }]) => type === "array")?.[0];
  if (member !== undefined)
    test("every recorded list is scanned correctly", () => {
      for (const { case: about, body } of successes) {
        const text = Buffer.from(JSON.stringify(body));
        for (const size of [text.length, 1000, 37]) {
          const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, nth) =>
            text.subarray(nth * size, (nth + 1) * size),
          );
          const records: string[] = [];
          for (const piece of piecesOf(itemOf(operation.result, member), chunks, member)) {
            if ("forms" in piece) unparsed += piece.forms.length;
            records.push(
              ...("forms" in piece
                ? textsIn(piece).map(({ record }) => record)
                : piece.map((each) => JSON.stringify(each))),
            );
          }
          const listed = (body as Record<string, unknown[]>)[member] ?? [];
          expect({ about, size, records }).toEqual({
            about,
            size,
            records: listed.map((each) => JSON.stringify(each)),
          });
        }
      }
    });

  test("every recorded refusal has its code, and other answers are foreign", () => {
    for (const answered of own.filter((each) => !successes.includes(each))) {
      const verdict = verdictOf(operation, answered);
      const { case: about, status, body } = answered;
      if (hasMembers(body)) {
        expect({ about, ...verdict }).toMatchObject({ about, kind: "error", status, msg: body.msg });
        expect({ about, code: verdict.kind === "error" && verdict.code }).toEqual({ about, code: body.code });
      } else {
        expect({ about, ...verdict }).toMatchObject({ about, kind: "foreign", status });
      }
    }
  });
});
