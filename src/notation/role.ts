/** The groups that every organization has, and what else people call them. */

const systemGroups = [
  "owners",
  "administrators",
  "moderators",
  "fullmembers",
  "members",
  "everyone",
  "internet",
  "nobody",
];

const alsoCalled = new Map(
  Object.entries({
    admins: "administrators",
    admin: "administrators",
    mods: "moderators",
    all: "everyone",
  }),
);

/** The system group that somebody may mean who writes its name without `role:`, or in the singular. */
export function systemGroup(name: string): string | undefined {
  const word = name.toLowerCase().replace(/^roles?:/, "");
  const meant = alsoCalled.get(word) ?? systemGroups.find((group) => group === word || group === `${word}s`);
  return meant && `role:${meant}`;
}
