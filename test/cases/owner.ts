/** The secrets of the sandbox's owner, for lines that log in, and the token of a device. */
import { fresh, person } from "../run.ts";

export const { email, api_key: key, password } = person(fresh(), 100);
export const token = "fedcba9876543210fedcba9876543210";

/** On servers that may send encrypted notifications alone, `apns register` reads whether this one does. */
export const pushReads = [
  "POST /register event_types=%5B%22realm%22%5D&fetch_event_types=%5B%22realm%22%5D",
  "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
];

/** What is said when the only copy of the key is removed. */
export const keyStillWorks = `zulipctl: the key of ${email} still works. To revoke it, make a new one in the app, under Account & privacy; for a bot: zulipctl bots rotate-key ${email}\n`;
