/** One text of YAML 1.2 or JSON as a value, with its tree. */
import { type Event, parseEvents, YAMLException } from "js-yaml";
import { type Budget, deepest, tooDeep, tooMany } from "./budget.ts";
import { Composer } from "./compose.ts";
import type { Problems } from "./problems.ts";
import type { SourceText } from "./source.ts";
import { Tree } from "./tree.ts";

export interface Parsed {
  /** Undefined where the text says nothing, and where there are problems. */
  readonly value: unknown;
  readonly tree: Tree;
}

const nothing = (source: SourceText): Parsed => ({
  value: undefined,
  tree: new Tree(source, new Uint32Array(), new Uint32Array(), [], new Map()),
});

/** Of what is no YAML the first place alone can be told: behind it, nothing is certain. */
export function parse(source: SourceText, budget: Budget, problems: Problems): Parsed {
  const over = budget.overflow(source.text);
  if (over !== undefined) {
    problems.add(() => source.place(over), tooMany);
    return nothing(source);
  }
  let events: Event[];
  try {
    events = parseEvents(source.text, { maxDepth: deepest });
  } catch (error) {
    // Where a single tag fills a file, the library's pattern for it exhausts the stack.
    if (!(error instanceof YAMLException || error instanceof RangeError)) throw error;
    const { reason = "this cannot be read", mark } = error as Partial<YAMLException>;
    problems.add(() => source.place(mark?.position ?? 0), reason.startsWith("nesting") ? tooDeep : reason);
    return nothing(source);
  }
  const before = problems.count;
  const { value, tree } = new Composer(source, events, budget, problems).result();
  return { value: problems.count > before ? undefined : value, tree };
}
