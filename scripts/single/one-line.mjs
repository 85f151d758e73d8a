/** Ends a script with one line. */
export class Cannot extends Error {}

export const cannot = (message) => {
  throw new Cannot(message);
};

/** Runs a script. What it cannot do is one line on stderr, and exit code 1. Other errors are defects of the script. */
export async function inOneLine(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Cannot)) throw error;
    console.error(`cannot make it: ${error.message}`);
    process.exitCode = 1;
  }
}
