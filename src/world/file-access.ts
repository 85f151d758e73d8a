/** Who else can change a file, or make one in its directory. */

/** Why the files of a directory cannot be trusted, and the command that changes that. */
export interface DirectoryFlaw {
  reason: string;
  fix: string;
}

/** What others may do with a file. */
export interface Access {
  /** Set if others may have made the files of zulipctl's own directory. */
  directoryFlaw?: DirectoryFlaw | undefined;
  /** The owner, if it is neither this user nor root: `bob`, or `user id 1001`. */
  owner?: string;
  readable: boolean;
  writable: boolean;
}
