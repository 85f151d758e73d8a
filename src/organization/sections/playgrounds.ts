import { addPlayground } from "../../api/playgrounds.ts";
import { strip } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { listed, type Things } from "./section.ts";

interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

const key = { shape: filled, needed: true, stored: strip } as const;

export const playgrounds: Things<Playground> = {
  doc: "Sites that run code of messages.",
  holds: "things",
  one: "playground",
  called: "playgrounds",
  key: ["pygments_language", "name"],
  fold: strip,
  complete: true,
  made: "url_template",
  recreated: true,
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: key, pygments_language: key, url_template: { shape: filled, stored: strip } },
  }),
  ...listed<Playground>("realm_playgrounds", "realm_playgrounds"),
  id: ({ id }) => id,
};
