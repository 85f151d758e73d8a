/** Whom an event is for. */
import { hasMetadataAccess, seesPerson } from "../access.ts";
import { type Channel, isAdministrator, isGuest, type State, type User } from "../state.ts";

const those = (state: State, are: (user: User) => boolean): User[] =>
  [...state.users.values()].filter((user) => user.is_active && are(user));

export const everybody = (state: State): User[] => those(state, () => true);
export const nonGuests = (state: State): User[] => those(state, (user) => !isGuest(user));
export const administrators = (state: State): User[] => those(state, isAdministrator);
export const whoSee = (state: State, channel: Channel): User[] =>
  those(state, (user) => hasMetadataAccess(state, user, channel));
export const whoKnow = (state: State, person: User): User[] => those(state, (user) => seesPerson(state, user, person));
