/** How processes name themselves in files. */

/** Names of processes in files, so that later processes find out whether they still run. */
export interface Processes {
  readonly own: string;
  /** Unknown for processes of other machines. */
  stateOf(name: string): "alive" | "dead" | "unknown";
}
