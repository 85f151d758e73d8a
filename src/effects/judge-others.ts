/** Judges invitations, keys, exports, and calls of which nobody knows what they do. */
import { counted } from "../common/counted.ts";
import type { Question } from "../common/question.ts";
import { administers, roleName, roleWithArticle } from "../model/person.ts";
import type { Judging } from "./judging.ts";

/** The question about an invitation for owners or administrators. `addresses`: undefined for a link. */
function invitationQuestion(role: number, addresses: string | undefined): Question {
  if (addresses === undefined)
    return {
      question: `Create an invitation link with the role ${roleName(role)}`,
      consequence: `Anybody who has the link can become ${roleWithArticle(role)}.`,
    };
  const people = addresses.split(",");
  const whom = people.length === 1 ? people[0] : counted(people.length, "person", "people");
  const as = people.length === 1 ? roleWithArticle(role) : `${roleName(role)}s`;
  return { question: `Invite ${whom} as ${as}`, ...(people.length > 1 && { consequence: `${people.join(", ")}.` }) };
}

async function judgeInvitations(judging: Judging): Promise<void> {
  for (const { n, impact } of judging.of("invite")) {
    const { role, addresses } = impact;
    if (role === undefined || !administers(role)) continue;
    const question = invitationQuestion(role, addresses);
    judging.add(n, { kind: "rights_given", text: `invites ${roleWithArticle(role)}`, asks: true, question });
  }
  for (const { n, impact } of judging.of("invite again")) {
    const found = await judging.read(() => judging.present.invitation(impact.id), {
      what: "whom the invitation is for",
      changes: [n],
    });
    if (!found || !administers(found.invited_as)) continue;
    const as = roleWithArticle(found.invited_as);
    const question = { question: `Invite ${found.email ?? "somebody"} as ${as} again` };
    judging.add(n, { kind: "rights_given", text: `invites ${as} again`, asks: true, question });
  }
}

/** What exports hold, by their types. */
const privateData: Readonly<Record<string, string>> = {
  full_with_consent: "It holds what people who consented wrote in private.",
  full_without_consent: "It holds what everybody wrote in private, without their consent.",
};

export async function judgeOthers(judging: Judging): Promise<void> {
  if (judging.asks) await judgeInvitations(judging);
  for (const { n } of judging.of("replace key"))
    judging.add(n, {
      kind: "key_replaced",
      text: "stops the old key at once",
      sentence: "The old key stops working at once.",
      asks: true,
    });
  for (const { n, impact } of judging.of("export")) {
    const isPrivate = impact.type !== undefined && impact.type !== "public";
    judging.add(n, {
      kind: "exported",
      text: isPrivate ? "puts private data into a file" : "puts public data into a file",
      sentence: (impact.type && privateData[impact.type]) ?? "",
      asks: isPrivate,
    });
  }
  for (const [n, { unknown }] of judging.subjects.entries())
    if (unknown !== undefined) judging.add(n, { kind: "unknown", text: "does what zulipctl cannot judge", asks: true });
}
