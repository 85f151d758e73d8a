import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../src/api/profile-fields.ts";
import type { profileFieldNoun } from "../../src/commands/profile-field.ts";
import { type CasesOf, change, read, usage } from "./case.ts";

const list = "GET /realm/profile_fields";

export const cases: CasesOf<typeof profileFieldNoun> = {
  create: change(createProfileField, {
    lines: [
      {
        typed: "Birthday --type date --hint 'for cake'",
        sends: "POST /realm/profile_fields name=Birthday&hint=for+cake&field_type=4",
        prints: "Created profile field 5.\n",
        ids: "5\n",
        made: (state, before) => state.profile_fields.length - before.profile_fields.length,
        ignoring: { params: ["hint"], code: 5, made: 1 },
      },
    ],
    wire: [
      [
        "Team --type options --option Red --option Blue",
        "POST /realm/profile_fields name=Team&field_data=%7B%220%22%3A%7B%22text%22%3A%22Red%22%2C%22order%22%3A%221%22%7D%2C%221%22%3A%7B%22text%22%3A%22Blue%22%2C%22order%22%3A%222%22%7D%7D&field_type=3",
      ],
      [
        "X --type url --required --in-summary --no-editable",
        "POST /realm/profile_fields name=X&required=true&display_in_profile_summary=true&editable_by_user=false&field_type=5",
      ],
      [
        "X --type account --account-type github",
        "POST /realm/profile_fields name=X&field_data=%7B%22subtype%22%3A%22github%22%7D&field_type=7",
      ],
      [
        "X --type account --url-pattern 'https://x.example/%(username)s'",
        "POST /realm/profile_fields name=X&field_data=%7B%22subtype%22%3A%22custom%22%2C%22url_pattern%22%3A%22https%3A%2F%2Fx.example%2F%25%28username%29s%22%7D&field_type=7",
      ],
      [
        "X --type short_text --for-matching",
        "POST /realm/profile_fields name=X&use_for_user_matching=true&field_type=1",
      ],
    ],
    refused: usage({
      "X --type options": "--type options requires --option\nFor example: --option Berlin --option Lisbon",
      "X --type date --option y": "--option requires --type options",
      "X --type date --url-pattern y": "--url-pattern requires --type account",
      "X --type options --option a --account-type github": "--account-type requires --type account",
      "X --type account":
        "--type account requires --account-type or --url-pattern\nFor example: --account-type github, or --url-pattern 'https://git.example.com/%(username)s'",
    }),
  }),

  update: change(updateProfileField, {
    lines: [
      {
        typed: "Phone --new-name Telephone",
        sends: [list, "PATCH /realm/profile_fields/1 name=Telephone"],
        made: ({ profile_fields }) => profile_fields[0]?.name === "Telephone",
        ignoring: { params: ["name"], code: 5 },
      },
    ],
    wire: [
      ["Office --hint '' --required", [list, "PATCH /realm/profile_fields/3 hint=&required=true"]],
      [
        "Office --add-option Oslo --rename-option Lisbon=Porto",
        [
          list,
          "PATCH /realm/profile_fields/3 field_data=%7B%220%22%3A%7B%22text%22%3A%22Berlin%22%2C%22order%22%3A%221%22%7D%2C%221%22%3A%7B%22text%22%3A%22Porto%22%2C%22order%22%3A%222%22%7D%2C%222%22%3A%7B%22text%22%3A%22Oslo%22%2C%22order%22%3A%223%22%7D%7D",
        ],
      ],
    ],
    refused: usage({
      "Phone --add-option x": '--add-option: profile field "Phone" is not of the type options',
      "Phone --url-pattern x": '--url-pattern: profile field "Phone" is not of the type account',
      "Office --url-pattern x --add-option y": '--url-pattern: profile field "Office" is not of the type account',
      "Office --delete-option Belin -y": '--delete-option: option "Belin" not found\nDid you mean: Berlin?',
      "Office --rename-option Lisbon":
        '--rename-option must be old=new: "Lisbon"\nFor example: --rename-option Lisbon=Porto',
      "Office --option x": "unknown flag: --option\nDid you mean: --add-option?",
    }),
  }),

  rm: change(removeProfileField, {
    several: true,
    lines: [
      {
        typed: "Mentor --yes",
        sends: [list, "DELETE /realm/profile_fields/4"],
        prints: 'Deleted profile field "Mentor".\n',
        made: (state, before) => before.profile_fields.length - state.profile_fields.length,
      },
    ],
  }),

  reorder: change(reorderProfileFields, {
    lines: [
      {
        typed: "Office",
        sends: [list, "PATCH /realm/profile_fields order=%5B3%2C1%2C2%2C4%5D"],
        prints: "The order of the profile fields is now 3, 1, 2, 4.\n",
        made: ({ profile_fields }) => [...profile_fields].sort((a, b) => a.order - b.order)[0]?.id === 3,
      },
    ],
  }),

  list: read({ lines: [{ typed: "", sends: list, ids: "1\n2\n3\n4\n" }] }),
};
