/** A thing of the organization, with the name that the user typed. */
export interface NamedThing {
  id: number;
  typed: string;
}
