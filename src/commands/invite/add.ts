import { bareAddress, getInvitations, sendInvitations } from "../../api/invitations.ts";
import { type Change, change } from "../../engine/change.ts";
import { baselinesOf } from "../../run/baselines.ts";
import type { Context, Planned } from "../../run/context.ts";
import { type Terms, termsOf } from "./terms.ts";

const verifyWith = "zulipctl invite list";

/** The server would invite an address again that is invited already. */
export async function add(context: Context, { emails, ...terms }: Terms & { emails: string[] }): Promise<Planned> {
  if (!emails.length) return { several: [] };
  const baselines = baselinesOf(context);
  const thing = (address: string) => `invitation of ${bareAddress(address)}`;
  const { invites } = await baselines.read(getInvitations, {});
  const open = new Map(invites.flatMap(({ id, email }) => (email === undefined ? [] : [[bareAddress(email), id]])));
  const rest = { stream_ids: terms.channel ?? [], ...termsOf(terms) };
  const args = (some: readonly string[]) => ({ invitee_emails: some.join(","), ...rest });
  const wanted: string[] = [];
  const pending: Change[] = [];
  for (const address of emails) {
    const id = open.get(bareAddress(address));
    if (id === undefined && !baselines.earlier(thing(address))) wanted.push(address);
    else
      pending.push(
        change(sendInvitations, args([address]), {
          target: address,
          done: `{target} is invited already${id === undefined ? "" : ` (email:${id})`}.`,
          verifyWith,
          unchanged: true,
        }),
      );
  }
  for (const address of wanted) baselines.becomes(thing(address), true);
  const sent = change(sendInvitations, args(wanted), {
    target: wanted.join(", "),
    done: "{target} invited.",
    verifyWith,
  });
  return { several: [...(wanted.length ? [sent] : []), ...pending] };
}
