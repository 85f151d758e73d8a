/** The shapes and readers of numbers and settings, from the model. */
import { minimumOf, noLimit, type Setting } from "../../model/setting.ts";
import { spanExample, unitOf } from "../../model/unit.ts";
import { readNumber, readPlainValue, wordIn } from "../../notation/setting-text.ts";
import { boolean, choiceShape, eitherShape, integerShape, type Member, orText } from "../attribute-shapes.ts";

const spanOf = (unit: "second" | "day") => ({ what: spanExample(unit), pattern: "^[0-9]{1,6}[ywdhms]$" });

/** Returns the shape and the reader of numbers, with spans of time where `name` has a unit. */
export function numberMember(
  name: string,
  least: number,
  words: readonly string[] = [],
  read = (text: string): unknown => wordIn(text, words) ?? readNumber(name, text, least),
): Partial<Member> {
  const shape = words.length ? eitherShape(integerShape(least), choiceShape(...words)) : integerShape(least);
  const unit = unitOf(name);
  return { shape: orText(shape, read, unit && spanOf(unit)), read };
}

/** Returns the words, numbers and limits of a setting. */
export function settingMember(name: string, setting: Setting): Partial<Member> {
  const { kind, values, choices, plain, older } = setting;
  const least = minimumOf(setting);
  const read = (text: string) => readPlainValue(name, setting, text);
  if (least !== undefined) return numberMember(name, least, kind === "limit" ? [noLimit] : [], read);
  // A newer server may know more numbers, but all words are known.
  if (choices) {
    const words = choiceShape(...Object.keys(choices));
    return { shape: orText(plain ? words : eitherShape(words, integerShape(0)), read), choices: setting, read };
  }
  if (values) return { shape: orText(choiceShape(...values, ...Object.values(older?.words ?? {})), read), read };
  return kind === "boolean" ? { shape: orText(boolean, read), read } : {};
}
