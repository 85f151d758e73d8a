import { updateUser } from "../../api/people.ts";
import { roles } from "../../api/users.ts";
import { strip } from "../../folding.ts";
import { boolean, choice, either, filled, integer, list, map, named, none, text } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import type { Things } from "./section.ts";

const lowered = (address: string): string => strip(address).toLowerCase();

export const people: Things = {
  doc: "People. Bots and people who are not listed stay unchanged.",
  holds: "things",
  one: "person",
  called: "people",
  key: ["email"],
  identified: ["email", "id"],
  fold: lowered,
  away: { member: "active", away: false, puts: "deactivate", brings: "reactivate" },
  members: {
    email: { shape: filled, doc: "The address." },
    id: { shape: integer(1), doc: "The id, where the address is hidden; the file must name its organization." },
    ...attributesOf(updateUser, {
      // A new address needs a permission that only the server's command line gives.
      without: ["user_id", "new_email"],
      as: { profile_data: "profile" },
      more: {
        full_name: { stored: strip },
        role: { shape: choice(...Object.keys(roles)) },
        profile: {
          shape: map(either(text, list(named("person")), none)),
          doc: "Values of custom profile fields by the fields' names; null for none.",
        },
      },
    }),
    active: { shape: boolean, doc: "false deactivates the person, true reactivates them." },
    invite: { shape: boolean, doc: "Whether to invite somebody who has no account." },
  },
};
