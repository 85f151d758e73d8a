/** Whether a run goes on: why nothing new is sent any more, and what ends it at once. */
import type { Failure } from "../errors.ts";
import { Condition } from "./condition.ts";

export class RunState {
  readonly #condition = new Condition();
  #stopped: Failure | undefined;
  #bug: { error: unknown } | undefined;
  #abandoned = false;

  /** Why nothing new is sent any more; undefined while it is. */
  get stopped(): Failure | undefined {
    return this.#stopped;
  }

  /** Nothing more comes of reading on. */
  get over(): boolean {
    return this.#bug !== undefined || this.#abandoned;
  }

  /** The first reason counts. */
  stop(why: Failure): Failure {
    this.#stopped ??= why;
    this.notify();
    return this.#stopped;
  }

  /** Nobody wants results any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  broken(error: unknown): void {
    this.#bug ??= { error };
    this.notify();
  }

  throwBug(): void {
    if (this.#bug) throw this.#bug.error;
  }

  /** Something has changed. */
  notify(): void {
    this.#condition.notify();
  }

  /** Resolves when something has. */
  wait(): Promise<void> {
    return this.#condition.wait();
  }
}
