/** The secrets of the sandbox's owner, for lines that log in, and the token of a device. */
import { fresh, person } from "../run.ts";

export const { email, api_key: key, password } = person(fresh(), 100);
export const token = "fedcba9876543210fedcba9876543210";
