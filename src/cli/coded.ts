/** Verbs whose words are read as they are stated, and which go on with code of their own, loaded when they run. */
import type { Conclusion } from "../run/conclusion.ts";
import type { Context, Planned } from "../run/context.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { withLooks } from "./looks.ts";
import { foreseeing, reading, type Verb, type VerbDescription } from "./verb.ts";
import type { Values, Words } from "./word.ts";

type Load<P extends Words, F extends Words, R> = () => Promise<(context: Context, values: Values<P, F>) => Promise<R>>;

interface Coded<P extends Words, F extends Words> extends VerbDescription<P, F> {
  /** It, and flags of it, are refused before names are looked up where the server does not know them. */
  readonly operation: AnyOperation;
  /** Flags that are not named as their parameter is. */
  readonly binds?: { readonly [K in keyof F]?: string };
  /** Without any flag of a parameter it asks for nothing. */
  readonly someFlag?: true;
}

/** A verb that reads something. */
export const readsWith = <const P extends Words, const F extends Words>(
  told: VerbDescription<P, F>,
  load: Load<P, F, Conclusion>,
): Verb => ({
  ...(told as VerbDescription),
  action: (shell) => shell.reads(async () => reading<P, F, Conclusion>(told, await load())),
});

/** A verb that changes something. */
export const plansWith = <const P extends Words, const F extends Words>(
  { operation, binds, someFlag, ...told }: Coded<P, F>,
  load: Load<P, F, Planned | Conclusion>,
): Verb => ({
  ...withLooks({ ...(told as VerbDescription), looks: told.looks ?? (operation.before && true) }),
  action: (shell, _, name) => {
    const foresee = foreseeing(operation, { flags: told.flags, binds: binds as never, someFlag })(name);
    return shell.changes(async () =>
      reading<P, F, Planned | Conclusion>(told as VerbDescription<P, F>, await load(), foresee),
    );
  },
});
