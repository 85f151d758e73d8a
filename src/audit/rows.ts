/** The rows of an export that are read, checked. */
import { Usage } from "../errors.ts";
import type { Row } from "./tables.ts";

export interface LogRow {
  readonly id: number;
  /** Seconds since 1970, with a fraction. */
  readonly event_time: number;
  readonly event_type: number;
  readonly acting_user: number | null;
  readonly modified_user: number | null;
  readonly modified_stream: number | null;
  readonly modified_user_group: number | null;
  readonly extra_data: Row;
}

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: number;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  /** Seconds since 1970. */
  readonly joined: number;
}

/** Reads members of one row of `table`; each throws `Usage` for a member that is something else. */
export class Reader {
  readonly #row: Row;
  readonly #table: string;

  constructor(table: string, row: Row) {
    this.#table = table;
    this.#row = row;
  }

  #wrong(name: string, what: string): Usage {
    const id = this.#row.id;
    return new Usage(`the export is damaged: ${this.#table}, id ${JSON.stringify(id)}: ${name} is not ${what}`);
  }

  id(name = "id"): number {
    const value = this.#row[name];
    if (!Number.isSafeInteger(value)) throw this.#wrong(name, "an id");
    return value as number;
  }

  /** Null if absent. */
  idOrNull(name: string): number | null {
    return this.#row[name] === null || this.#row[name] === undefined ? null : this.id(name);
  }

  number(name: string): number {
    const value = this.#row[name];
    if (typeof value !== "number") throw this.#wrong(name, "a number");
    return value;
  }

  /** Seconds since 1970, within what dates can be. */
  time(name: string): number {
    const value = this.number(name);
    if (Math.abs(value) > 8.64e12) throw this.#wrong(name, "a time");
    return value;
  }

  text(name: string): string {
    const value = this.#row[name];
    if (typeof value !== "string") throw this.#wrong(name, "a text");
    return value;
  }

  yes(name: string): boolean {
    return this.#row[name] === true;
  }
}

export function logRow(row: Row): LogRow {
  const of = new Reader("zerver_realmauditlog", row);
  const { extra_data } = row;
  return {
    id: of.id(),
    event_time: of.time("event_time"),
    event_type: of.id("event_type"),
    acting_user: of.idOrNull("acting_user"),
    modified_user: of.idOrNull("modified_user"),
    modified_stream: of.idOrNull("modified_stream"),
    modified_user_group: of.idOrNull("modified_user_group"),
    extra_data: typeof extra_data === "object" && extra_data !== null ? (extra_data as Row) : {},
  };
}

export function account(row: Row): Account {
  const of = new Reader("zerver_userprofile", row);
  return {
    id: of.id(),
    email: of.text("delivery_email"),
    name: of.text("full_name"),
    role: of.id("role"),
    is_active: of.yes("is_active"),
    is_bot: of.yes("is_bot"),
    joined: of.time("date_joined"),
  };
}
