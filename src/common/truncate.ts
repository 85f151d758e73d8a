/** Returns a text of at most so many characters. A longer one ends with an ellipsis. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
