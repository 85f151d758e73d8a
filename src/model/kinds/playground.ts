import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const playgroundKind = {
  one: "playground",
  plural: "playgrounds",
  noun: "playground",
  key: ["pygments_language", "name"],
  fold: strip,
  id: "id",
  title: "name",
  section: "playgrounds",
  // Playgrounds have no read of their own.
  read: { operation: "events.register", list: "realm_playgrounds", parts: ["realm_playgrounds"] },
  registered: { parts: ["realm_playgrounds"], lists: ["realm_playgrounds"] },
  create: ["playground.add"],
  remove: { operation: "playground.rm" },
  removalEffect: {
    says: "removes it",
    clears: { setting: "default_code_block_language", member: "pygments_language", what: "default language" },
    sentence: "The server also clears default_code_block_language if it is the language of the playground.",
  },
  events: { realm_playgrounds: { whole: "realm_playgrounds" } },
  log: { added: 221, removed: 222 },
  typedById: true,
  about: ["name", "pygments_language"],
} as const satisfies Kind;
