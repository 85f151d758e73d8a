/** Returns the members of a value of unknown shape. A value without members has none. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (hasMembers(value) ? value : {});

const hasMembers = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
