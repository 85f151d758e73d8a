/** Returns a text of at most so many characters. A longer one ends with an ellipsis. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  // Of a whole answer of a server, only the beginning is divided.
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
