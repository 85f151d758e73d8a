/** How a name is typed so that it is read as the name it is: not as an id, a flag, a file or a word that means something. */
const mistaken = /^(\d+$|id:|name:|user:|group:|[#@{-]|me$|nobody$)/;

export const spelled = (name: string): string => (mistaken.test(name) ? `name:${name}` : name);
