/** JSON with numbers that JavaScript cannot hold. Loaded where there is one. */
import { LosslessNumber, parse } from "lossless-json";

const number = (literal: string): unknown =>
  Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER ? new LosslessNumber(literal) : Number(literal);

/** Like `JSON.parse`, except that numbers beyond 2^53 stay the texts they are. Recursive: not for what is nested deeply. */
export const readExactly = (text: string): unknown =>
  parse(text, undefined, { parseNumber: number, onDuplicateKey: ({ newValue }) => newValue });
