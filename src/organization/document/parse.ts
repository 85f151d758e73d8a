/** One text of YAML 1.2 or JSON as a value, with its tree. */
import { type Event, parseEvents, YAMLException } from "js-yaml";
import { type Budget, deepest, tooDeep, tooLong, tooMany, tooManyLines } from "./budget.ts";
import { Composer } from "./compose.ts";
import { eventsOfLines } from "./lines.ts";
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

/** A line that says what version of YAML follows, or what tags mean. Nothing else begins a line so in what is a mapping. */
const directive = /^%(?!YAML 1\.2\s*$)/m;

/** Why a text is not even looked at. */
function refusal(text: string, budget: Budget): { at: number; says: string } | undefined {
  const [long, many] = [tooLong(text), budget.overflow(text)];
  if (many !== undefined && many < (long ?? text.length)) return { at: many, says: tooMany() };
  if (long !== undefined) return { at: long, says: tooManyLines() };
  const at = text.includes("%") ? text.search(directive) : -1;
  return at < 0 ? undefined : { at, says: "unsupported directive: only %YAML 1.2 is allowed" };
}

/** Of what is no YAML the first place alone can be told: behind it, nothing is certain. */
export function parse(source: SourceText, budget: Budget, problems: Problems): Parsed {
  const refused = refusal(source.text, budget);
  if (refused) {
    problems.add(() => source.place(refused.at), refused.says);
    return nothing(source);
  }
  let events: Event[];
  try {
    events = eventsOfLines(source.text) ?? parseEvents(source.text, { maxDepth: deepest });
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
