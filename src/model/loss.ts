/** What people lose when something is archived or deactivated: as an effect, and as a sentence of a question. */

export const archivedChannel = {
  effect: { says: "takes access from its subscribers" },
  sentence: "Subscribers lose access.",
};

export const deactivatedBot = {
  effect: { says: "stops its API key" },
  sentence: "Keys of deactivated bots stop working.",
};

/** What a private channel loses with its last subscriber. `title`: `channel "design"`. */
export const lastSubscriber = (title: string): string =>
  `takes the last subscriber of the private ${title}: nobody can get in again`;

/** What a private channel is that nobody is in. */
export const channelWithoutSubscribers = (name: string): string =>
  `leaves the private channel "${name}" without subscribers: nobody can get in`;

/** A bot has no sessions. */
export const deactivatedPerson = {
  effect: { says: "logs them out everywhere" },
  sentence: (people: number): string => `${people === 1 ? "The person is" : "They are"} logged out everywhere.`,
};
