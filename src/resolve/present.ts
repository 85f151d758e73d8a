/** The current values of things. Each kind is read once, and changes of earlier rows count. */
import type { Server } from "../client/server.ts";
import type { AnyOperation, ArgsOf, Before } from "../wire/operation.ts";

type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: stands for those of every operation.
type AnyBefore = Before<any>;

/** The changes that earlier rows make to a thing. */
export interface EarlierValues {
  /** The values that they set, by parameter. */
  valuesOf(target: string): ReadonlyMap<string, unknown>;
  /** Returns whether an earlier row creates it. */
  brings(thing: string): boolean;
}

export interface Present {
  /** The current values by parameter. */
  readonly values: Readonly<Fields>;
  /** Parameters whose values an earlier row of the run sets. */
  readonly coming: ReadonlySet<string>;
  /** The server's answer about the thing. */
  readonly read: Readonly<Fields>;
}

interface Found {
  answer: Fields;
  /** Things by the member that identifies them. */
  things?: ReadonlyMap<unknown, Fields>;
}

export class PresentValues {
  readonly #server: () => Promise<Server>;
  readonly #earlier: EarlierValues | undefined;
  readonly #read = new Map<string, Promise<Found>>();

  constructor(server: () => Promise<Server>, earlier?: EarlierValues) {
    this.#server = server;
    this.#earlier = earlier;
  }

  /**
   * Returns what the operation would replace. Undefined if the thing is not found. `alone`: nothing else will be read,
   * so reading one thing is enough. Throws the `Failure` of the read, the same each time.
   */
  async of<O extends AnyOperation>(
    operation: O,
    args: Partial<ArgsOf<O>>,
    { alone = false }: { alone?: boolean } = {},
  ): Promise<Present | undefined> {
    const before: AnyBefore = operation.before!;
    const { answer, things } = await this.#once(before, args, alone);
    const found = before.among ? things!.get(before.among.which(args)) : answer;
    if (!found) return undefined;
    const target = operation.target?.(args);
    const made = target === undefined ? undefined : this.#earlier?.valuesOf(target);
    const values = { ...before.values(found, args), ...(made && Object.fromEntries(made)) };
    return { values, coming: new Set(made?.keys()), read: found };
  }

  /** Returns whether an earlier row of the run creates it. */
  brought(thing: string): boolean {
    return this.#earlier?.brings(thing) ?? false;
  }

  /** Reads each question once, and indexes the answer. */
  async #once({ read, asks, among }: AnyBefore, args: Fields, alone: boolean): Promise<Found> {
    const server = await this.#server();
    const question = asks ? asks(args, { level: await server.level(), alone }) : {};
    const key = `${read.name} ${JSON.stringify(question)}`;
    const reading = this.#read.get(key) ?? server.lookUp(read, question).then((answer) => foundIn(answer, among));
    this.#read.set(key, reading);
    return reading;
  }
}

/** Returns the values of the run, or of this command. */
export const presentOf = (context: { present?: PresentValues; server(): Promise<Server> }): PresentValues =>
  (context.present ??= new PresentValues(context.server));

function foundIn(answer: Fields, among: AnyBefore["among"]): Found {
  if (!among) return { answer };
  const records = answer[among.list] as Fields[];
  return { answer, things: new Map(records.map((record) => [record[among.id], record])) };
}
