/** What is done with files, as promises. Loading those of Node's own takes a millisecond, with all that readline needs. */
import {
  close,
  fchmod,
  fsync,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs";
import { promisify } from "node:util";

export const promised = {
  close: promisify(close),
  fchmod: promisify(fchmod),
  fsync: promisify(fsync),
  lstat: promisify(lstat),
  mkdir: promisify(mkdir),
  open: promisify(open),
  readdir: promisify(readdir),
  realpath: promisify(realpath.native),
  rename: promisify(rename),
  rm: promisify(rm),
  rmdir: promisify(rmdir),
  stat: promisify(stat),
  writeFile: promisify(writeFile),
};
