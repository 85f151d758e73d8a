/** What things are before they are changed: each kind is read once, and what earlier rows of a run make of it counts. */
import type { Server } from "../client/server.ts";
import type { AnyOperation, ArgsOf, Before } from "../wire/operation.ts";

type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: stands for those of every operation.
type AnyBefore = Before<any>;

/** What earlier rows of a run say of the values of a thing. */
export interface EarlierValues {
  /** Under the names of parameters, those that they set. */
  of(target: string): ReadonlyMap<string, unknown> | undefined;
  /** Whether they say that there will be this. */
  brings(thing: string): boolean;
}

export interface Present {
  /** Under the names of the change's parameters. */
  readonly values: Readonly<Fields>;
  /** Those of them that are not there yet: an earlier row of the run makes them so. */
  readonly coming: ReadonlySet<string>;
  /** What the server answered about the thing. */
  readonly read: Readonly<Fields>;
}

interface Found {
  answer: Fields;
  /** By what tells the things apart. */
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
   * What the operation would replace with these arguments, which need not be more than those that say of what. Undefined
   * where the thing is not among what was read. `alone`: nothing else will be asked for, so that it may be all that is
   * read. Throws the `Failure` of the read: the same one each time.
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
    const made = target === undefined ? undefined : this.#earlier?.of(target);
    const values = { ...before.values(found, args), ...(made && Object.fromEntries(made)) };
    return { values, coming: new Set(made?.keys()), read: found };
  }

  /** Whether an earlier row of the run brings it about that there is this. */
  brought(thing: string): boolean {
    return this.#earlier?.brings(thing) ?? false;
  }

  /** A read of each question that is asked, made ready to be looked into once. */
  async #once({ read, asks, among }: AnyBefore, args: Fields, alone: boolean): Promise<Found> {
    const server = await this.#server();
    const question = asks ? asks(args, { level: await server.level(), alone }) : {};
    const key = `${read.name} ${JSON.stringify(question)}`;
    const reading = this.#read.get(key) ?? server.lookUp(read, question).then((answer) => foundIn(answer, among));
    this.#read.set(key, reading);
    return reading;
  }
}

/** Those of the run, or of this one command. */
export const presentOf = (context: { present?: PresentValues; server(): Promise<Server> }): PresentValues =>
  (context.present ??= new PresentValues(context.server));

function foundIn(answer: Fields, among: AnyBefore["among"]): Found {
  if (!among) return { answer };
  const records = answer[among.list] as Fields[];
  return { answer, things: new Map(records.map((record) => [record[among.id], record])) };
}
