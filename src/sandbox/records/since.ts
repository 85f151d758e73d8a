/** Members that are there only from a level on. */
export const since = (level: number, first: number, members: object): object => (level < first ? {} : members);
