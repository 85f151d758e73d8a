/** What an organization of several tests is like. */
import type { State } from "../../src/sandbox/index.ts";

/** Somebody is invited and has not joined yet. */
export const invited = (email: string) => (state: State) =>
  void state.invitations.push({
    id: 1,
    key: "k",
    email,
    invited_by_user_id: 8,
    invited: 0,
    expiry_date: null,
    invited_as: 400,
    notify_referrer_on_join: false,
    revoked: false,
  });

/** An archived folder has the name of a live one, in other case; which of the two is told first. */
export const twice =
  (first: "live" | "archived") =>
  ({ folders }: State) => {
    const [projects, past] = folders.values();
    past!.name = "projects";
    if (first === "archived") projects!.order = 5;
  };

/** Two live folders have one name: an archived one was brought back after its name had been given to another. */
export const liveTwice = ({ folders }: State) => {
  const past = [...folders.values()][1]!;
  Object.assign(past, { name: "projects", is_archived: false });
};
