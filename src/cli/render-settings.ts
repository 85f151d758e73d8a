/** Formats desired values for the sentences of a change. */
import type { SetValue } from "../engine/change.ts";
import { fieldLabel } from "../model/field.ts";
import { fieldWords } from "../resolve/field-words.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import { fieldOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { shortLine } from "./destructive-question.ts";

export const quotedBriefly = (text: string): string => `"${shortLine(text)}"`;

/** `registered`: the server's answer, if it lists words of settings. */
export const renderSettings = (
  names: NameResolver,
  operation: AnyOperation,
  args: Readonly<Record<string, unknown>>,
  registered?: Readonly<Record<string, unknown>>,
): Promise<SetValue[]> =>
  Promise.all(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(async ([parameter, value]) => ({
        parameter,
        name: fieldLabel(parameter),
        value: await fieldWords(names, fieldOf(operation, parameter, value), value, {
          registered,
          text: quotedBriefly,
        }),
      })),
  );
