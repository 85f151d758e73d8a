/** What commands have changed, a line a change, for whoever asks later. Nothing relies on it: what cannot be written is told and left. */

import { Redactor } from "../client/redactor.ts";
import type { Sender } from "../client/sending.ts";
import type { SentChange } from "../client/sent-change.ts";
import { isSecretName } from "../notation/name.ts";
import { commandLine } from "../notation/shell-words.ts";
import { jsonText } from "../output/json.ts";
import type { Resolves } from "../resolve/resolver.ts";
import type { World } from "../world.ts";
import type { Rolling } from "../writing.ts";
import { type LogEntry, logPath, logSize } from "./entry.ts";
import { changeInWords } from "./in-words.ts";

/** Characters of a command line that are kept: a row of a long batch repeats it. */
const longest = 4000;

/** `password=…`: a word that says itself what it holds, whatever endpoint it is for. */
const withoutNamed = (word: string): string =>
  word.replace(/^(--?[\w-]+=)?([\w -]+)=.+$/s, (whole, flag = "", name) =>
    isSecretName(name) ? `${flag}${name}=[secret]` : whole,
  );

/** A short secret would also be found in words that have nothing to do with it. */
function withoutShort(word: string, secret: string): string {
  if (secret === "" || secret.length > 4) return word;
  if (word === secret) return "[secret]";
  return word.endsWith(`=${secret}`) ? `${word.slice(0, -secret.length)}[secret]` : word;
}

/** A command line as it may be written down. */
export function maskedLine(argv: readonly string[], secrets: readonly string[]): string {
  const redactor = new Redactor(secrets);
  const line = commandLine(argv.map((word) => redactor.text(secrets.reduce(withoutShort, withoutNamed(word)))));
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Told of a change: by whom it was made, when it was over, and who knows names. */
export interface Made {
  find: Pick<Resolves, "called">;
  sender: Sender & { profile?: string };
  change: SentChange;
  time: number;
}

export class ChangeLog {
  readonly #world: Pick<World, "clock">;
  readonly #argv: readonly string[];
  readonly #file: Rolling | undefined;
  readonly #run: string;
  #line: { secrets: string; text: string } | undefined;
  /** Of those who have sent something: it stands in no line. */
  readonly #keys = new Map<Sender, string | undefined>();

  private constructor(world: Pick<World, "clock">, argv: readonly string[], file: Rolling | undefined) {
    this.#world = world;
    this.#argv = argv;
    this.#file = file;
    const { now, random } = this.#world.clock;
    const mark = Math.floor(random() * 36 ** 8).toString(36);
    this.#run = `${new Date(now()).toISOString().slice(0, 19).replaceAll(":", "-")}-${mark.padStart(8, "0")}`;
  }

  /** A configuration that cannot be read is told by the commands that need it, and turns nothing off. */
  static async open(
    { clock, files, places, settings }: Pick<World, "clock" | "files" | "places" | "settings">,
    argv: readonly string[],
  ): Promise<ChangeLog> {
    const document = (await settings.load().catch(() => undefined))?.document;
    const off = Object(document).log === false;
    return new ChangeLog({ clock }, argv, off ? undefined : files.rolling(logPath(places.state), logSize));
  }

  /** Throws or rejects where it cannot be written. What follows waits for what it gives. */
  add(made: Made): Promise<void> | undefined {
    return this.#file && this.#write(this.#file, made);
  }

  async #write(file: Rolling, { sender, change, time, find }: Made): Promise<void> {
    // By now it has been sent with the change.
    if (!this.#keys.has(sender)) this.#keys.set(sender, (await sender.key?.().catch(() => undefined))?.reveal());
    const key = this.#keys.get(sender);
    const { secrets = [], run = this.#run, row, operation, target, thing, outcome, error, ids, before } = change;
    const entry: LogEntry = {
      time: new Date(time).toISOString(),
      run,
      ...(sender.profile !== undefined && { profile: sender.profile }),
      site: sender.site,
      ...(sender.email !== undefined && { account: sender.email }),
      command: this.#command(key === undefined ? secrets : [...secrets, key]),
      // A single command has no rows.
      ...(change.run !== undefined && row !== undefined && { row }),
      operation,
      target,
      ...(thing !== undefined && { thing }),
      outcome,
      ...(error && { error }),
      ...(ids && { ids }),
      ...(before && { before }),
      ...(await changeInWords(change, find)),
    };
    await file.add(`${jsonText(entry)}\n`);
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** The rows of a batch have it in common, and mostly their secrets too. */
  #command(secrets: readonly string[]): string {
    const all = secrets.join("\n");
    if (this.#line?.secrets !== all) this.#line = { secrets: all, text: maskedLine(this.#argv, secrets) };
    return this.#line.text;
  }
}
