/** What `excess-keys.test.ts` finds: a key that was renamed where it is read, and not where it is stated. */
interface Own {
  written?: readonly string[];
  disposable?: readonly string[];
}

const filesOf = ({ written = [], disposable = [] }: Own): number => written.length + disposable.length;

const own = { written: ["state"], passing: ["cache"] };
const ownOf = (written: string[]) => ({ written, passing: written });

export const counts = (isWindows: boolean): number[] => [
  filesOf(own),
  filesOf({ ...own }),
  filesOf(ownOf([])),
  filesOf({ written: [], ...(isWindows && { passing: [] }) }),
  ...[own].map((each) => filesOf(each)),
];
