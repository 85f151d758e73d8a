/** From events of YAML to a value and its tree. */
import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { brief } from "../check.ts";
import { type Budget, deepest, tooDeep, tooMany } from "./budget.ts";
import { inWords, type Problems } from "./problems.ts";
import { dash, plain } from "./scalar.ts";
import type { SourceText } from "./source.ts";
import { Tree } from "./tree.ts";

type Collection = unknown[] | Record<string, unknown>;

interface Frame {
  readonly value: Collection;
  readonly node: number;
  /** What aliases in it stand for. */
  aliased: number;
  /** Levels of lists and mappings in it. */
  height: number;
  /** Of a mapping: the key whose value comes next. */
  key?: string;
  /** That key stood here before, and its value is dropped. */
  doubled?: boolean;
  readonly anchor?: Anchor;
}

interface Anchor {
  readonly node: number;
  value?: unknown;
  /** Entries in it; undefined as long as it has not ended. */
  entries?: number;
  height: number;
}

type Properties = ScalarEvent | SequenceEvent | MappingEvent;

const keysAreTexts = "keys must be text";

/** A key of any name: `__proto__` is one as well. */
export function set(mapping: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
  else mapping[key] = value;
}

export class Composer {
  readonly #text: string;
  readonly #source: SourceText;
  readonly #budget: Budget;
  readonly #problems: Problems;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #keys: (string | undefined)[] = [];
  readonly #aliases = new Map<number, number>();
  readonly #anchors = new Map<string, Anchor>();
  readonly #stack: Frame[] = [];
  readonly #doubles: { mapping: number; key: string; node: number }[] = [];
  #documents = 0;
  #nodes = 0;
  /** The end of what was read last. */
  #read = 0;
  #root: unknown;

  constructor(source: SourceText, events: readonly Event[], budget: Budget, problems: Problems) {
    this.#source = source;
    this.#text = source.text;
    this.#budget = budget;
    this.#problems = problems;
    this.#starts = new Uint32Array(events.length);
    this.#ends = new Uint32Array(events.length);
    for (const event of events) this.#take(event);
  }

  /** `undefined` where the file says nothing. */
  result(): { value: unknown; tree: Tree } {
    const tree = new Tree(this.#source, this.#starts.subarray(0, this.#nodes), this.#ends, this.#keys, this.#aliases);
    for (const { mapping, key, node } of this.#doubles)
      this.#problems.add(
        () => tree.place(node),
        () => `"${brief(key)}" appears twice; first in ${inWords(tree.place(tree.first(mapping, key)))}`,
      );
    return { value: this.#root, tree };
  }

  #wrong(offset: number, says: string): void {
    this.#problems.add(() => this.#source.place(offset), says);
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++this.#documents === 2)
          this.#wrong(this.#next("---"), "second YAML document: put it in a file of its own");
        break;
      case EVENT_ID.POP:
        this.#close();
        break;
      case EVENT_ID.ALIAS:
        this.#alias(event);
        break;
      case EVENT_ID.SCALAR:
        this.#scalar(event);
        break;
      default:
        this.#open(event);
    }
  }

  #next(mark: string): number {
    const at = this.#text.indexOf(mark, this.#read);
    return at < 0 ? this.#read : at;
  }

  /** A node begins. */
  #begin(offset: number): number {
    this.#starts[this.#nodes] = offset;
    this.#ends[this.#nodes] = this.#nodes + 1;
    return this.#nodes++;
  }

  #anchor({ anchorStart, anchorEnd }: Properties, node: number): Anchor | undefined {
    if (anchorStart < 0) return undefined;
    const anchor: Anchor = { node, height: 0 };
    this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), anchor);
    return anchor;
  }

  /** Of tags, only that something is a text is a thing to say here. */
  #tag({ tagStart, tagEnd }: Properties): string | undefined {
    if (tagStart < 0) return undefined;
    const tag = this.#text.slice(tagStart, tagEnd);
    if (tag !== "!" && tag !== "!!str") this.#wrong(tagStart, `unsupported tag ${brief(tag)}`);
    return tag;
  }

  #open(event: SequenceEvent | MappingEvent): void {
    const node = this.#begin(event.start);
    this.#read = event.start + 1;
    if (this.#tag(event) !== undefined) this.#wrong(event.tagStart, "a list or mapping cannot be text");
    if (this.#atKey()) this.#badKey(node);
    const value: Collection = event.type === EVENT_ID.SEQUENCE ? [] : {};
    this.#stack.push({ value, node, aliased: 0, height: 1, anchor: this.#anchor(event, node) });
  }

  #close(): void {
    const frame = this.#stack.pop();
    // The end of a document.
    if (!frame) return;
    const { node, value, anchor, aliased, height } = frame;
    this.#ends[node] = this.#nodes;
    if (anchor) Object.assign(anchor, { value, entries: this.#nodes - node + aliased, height });
    this.#put(value, node, { aliased, height });
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): void {
    const name = this.#text.slice(anchorStart, anchorEnd);
    const at = anchorStart - 1;
    const node = this.#begin(at);
    this.#read = anchorEnd;
    const anchor = this.#anchors.get(name);
    const says = this.#unfit(name, anchor);
    if (anchor && says === undefined) {
      const { entries, height, value } = anchor;
      this.#aliases.set(node, anchor.node);
      this.#put(value, node, { aliased: entries!, height });
      return;
    }
    if (says) this.#wrong(at, says);
    this.#put(undefined, node);
  }

  /** Why an alias can stand for nothing; empty where that has been told. */
  #unfit(name: string, anchor: Anchor | undefined): string | undefined {
    if (this.#atKey()) return keysAreTexts;
    if (!anchor) return `unknown anchor &${brief(name)}`;
    if (anchor.entries === undefined) return `*${brief(name)} refers to itself`;
    if (this.#stack.length + anchor.height > deepest) return tooDeep;
    if (this.#budget.spent) return "";
    return this.#budget.take(anchor.entries) ? undefined : `after resolving aliases: ${tooMany()}`;
  }

  #scalar(event: ScalarEvent): void {
    const { valueStart, valueEnd, style, indent } = event;
    const quoted = style === SCALAR_STYLE.DOUBLE_QUOTED || style === SCALAR_STYLE.SINGLE_QUOTED;
    const start = valueStart < 0 ? this.#absent(event) : quoted ? valueStart - 1 : valueStart + Math.max(0, indent);
    const node = this.#begin(start);
    this.#read = Math.max(this.#read, valueEnd < 0 ? start + 1 : valueEnd + (quoted ? 1 : 0));
    const text = getScalarValue(this.#text, event);
    if (style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) this.#insistReadable(text, start);
    const tag = this.#tag(event);
    const anchor = this.#anchor(event, node);
    const key = this.#atKey();
    if (key && valueStart < 0) this.#badKey(node);
    const value = key || tag !== undefined || style !== SCALAR_STYLE.PLAIN ? text : plain(text);
    if (anchor) Object.assign(anchor, { value, entries: 1 });
    this.#put(value, node);
  }

  /** Escapes can write what no server takes. */
  #insistReadable(text: string, start: number): void {
    if (text.includes("\0")) this.#wrong(start, "NUL character in this text");
    else if (/\p{Surrogate}/u.test(text)) this.#wrong(start, "invalid character in this text");
  }

  /** Where a value would stand that is not there: the key before it, or the list's mark. */
  #absent({ tagStart, anchorStart }: ScalarEvent): number {
    if (tagStart >= 0) return tagStart;
    if (anchorStart >= 0) return anchorStart - 1;
    const frame = this.#stack.at(-1);
    if (frame?.key !== undefined) return this.#starts[this.#nodes - 1]!;
    return frame && Array.isArray(frame.value) ? dash(this.#text, this.#read) : this.#read;
  }

  /** What comes next is a key. */
  #atKey(): boolean {
    const frame = this.#stack.at(-1);
    return frame !== undefined && !Array.isArray(frame.value) && frame.key === undefined;
  }

  #badKey(node: number): void {
    this.#wrong(this.#starts[node]!, keysAreTexts);
  }

  /** A node has ended: its value goes where it belongs. */
  #put(value: unknown, node: number, { aliased, height } = { aliased: 0, height: 0 }): void {
    const frame = this.#stack.at(-1);
    if (!frame) {
      if (this.#documents < 2) this.#root = value;
      return;
    }
    frame.aliased += aliased;
    frame.height = Math.max(frame.height, height + 1);
    if (Array.isArray(frame.value)) {
      frame.value.push(value);
      return;
    }
    const { key, doubled } = frame;
    if (key === undefined) {
      this.#putKey(frame, frame.value, value, node);
      return;
    }
    if (!doubled) set(frame.value, key, value);
    frame.key = undefined;
  }

  #putKey(frame: Frame, mapping: Record<string, unknown>, value: unknown, node: number): void {
    const key = typeof value === "string" ? value : "";
    this.#keys[node] = key;
    frame.key = key;
    frame.doubled = Object.hasOwn(mapping, key);
    if (frame.doubled) this.#doubles.push({ mapping: frame.node, key, node });
  }
}
