/** The kinds of words that invitations alone take. */
import { roles } from "../../api/users.ts";
import type { Given } from "../../argv/given.ts";
import { readStdin, textOf } from "../../argv/text.ts";
import type { Word } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";
import { readDuration } from "../../notation/units.ts";

/** What those who come will be and find. */
export interface Terms {
  role?: keyof typeof roles | undefined;
  channel?: number[] | undefined;
  group?: number[] | undefined;
  expires?: number | null | undefined;
  defaultChannels?: boolean | undefined;
  welcome?: string | undefined;
}

/** Only what was given. */
export const termsOf = ({ role, group, expires, defaultChannels, welcome }: Terms) => ({
  invite_as: role && roles[role],
  invite_expires_in_minutes: expires,
  group_ids: group,
  include_realm_default_subscriptions: defaultChannels,
  welcome_message_custom_text: welcome,
});

/** `7d`, `12h`: minutes; `never` is null. */
export const expiry = (doc: string): Word<number | null, string> => ({
  metavar: "duration",
  doc,
  offers: { of: ["never"] },
  read: (typed: string, { flag }) => {
    if (typed === "never") return null;
    const milliseconds = readDuration(typed);
    if (milliseconds) return milliseconds / 60_000;
    throw new Usage(`${flag}: invalid duration "${typed}"`, {
      hint: `For example: ${flag} 7d, ${flag} 12h, ${flag} never`,
    });
  },
});

/** `email:12`, `link:3`: several, blank or comma separated; `-` reads them from stdin. */
export const invitations = (): Word<string[], Given[]> => ({
  metavar: "what",
  doc: "email:12, link:3, as invite list shows them; - reads them from stdin",
  many: true,
  file: true,
  offers: { of: "invitation", list: true },
  read: async (raw: Given[], { context, flag }) => {
    const all = new Set<string>();
    for (const value of raw) {
      const text = value.isStdin ? await readStdin(context.world, flag) : value.text;
      for (const word of text.split(/[\s,]+/).filter(Boolean)) {
        if (!/^(email|link):\d{1,15}$/.test(word))
          throw new Usage(`${flag}: invalid invitation "${word}"`, {
            hint: /^\d+$/.test(word)
              ? `E-mail invitations and links have separate numbers: email:${word} or link:${word}`
              : "List them with: zulipctl invite list",
          });
        all.add(word);
      }
    }
    return [...all];
  },
});

/** Addresses: comma lists, one a line of a file (`@file`) or of stdin (`-`); each once. */
export const addresses = (doc: string): Word<string[], Given[]> => ({
  metavar: "email",
  doc,
  many: true,
  file: true,
  offers: { of: "free", at: true },
  read: async (raw: Given[], { context, flag }) => {
    const all = new Map<string, string>();
    for (const value of raw) {
      const text = await textOf(context.world, flag, value);
      const some = text.split(/[,\r\n]/).map((each) => each.trim());
      for (const address of some.filter(Boolean))
        all.set(address.toLowerCase(), all.get(address.toLowerCase()) ?? address);
    }
    return [...all.values()];
  },
});
