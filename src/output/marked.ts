/** Text of which some parts are marked. */

export interface Part {
  text: string;
  hit: boolean;
}

/** Text some parts of which are hits; a table draws them, everything else reads the text alone. */
export class Marked {
  constructor(readonly parts: readonly Part[]) {}
  toString(): string {
    return this.parts.map(({ text }) => text).join("");
  }
  toJSON(): string {
    return this.toString();
  }
}
