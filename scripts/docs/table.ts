/** The text of a table's cell in Markdown: a vertical bar would end it. */
export const cell = (text: string): string => text.replaceAll("|", "\\|");
