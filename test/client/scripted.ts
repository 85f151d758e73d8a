/** A client whose server gives these answers in order. */
import { RetryBudget } from "../../src/client/retry.ts";
import type { ServerOptions } from "../../src/client/sending-types.ts";
import { Server } from "../../src/client/server.ts";
import type { Failure } from "../../src/errors.ts";
import { type HttpResponse, NoAnswer, Secret } from "../../src/world/world.ts";
import { testWorld } from "../world.ts";

export const success = { result: "success", msg: "" };
export const refusal = (msg: string, code = "BAD_REQUEST", more = {}) => ({ result: "error", msg, code, ...more });

export function scripted(answers: (HttpResponse | NoAnswer)[], options: Partial<ServerOptions> = {}) {
  const world = testWorld({
    http: async () => {
      const next = answers.shift();
      if (!next || next instanceof NoAnswer) throw next ?? new Error("no answer left");
      return next;
    },
  });
  const key = async () => new Secret("k".repeat(32));
  const account = { site: "https://chat.example", email: "ada@chat.example", tls: {}, key };
  const retryBudget = new RetryBudget(120_000);
  const server = new Server(world, account, {
    timeout: 30_000,
    retryBudget,
    allowIgnored: false,
    grace: 2000,
    ...options,
  });
  return { world, server };
}

export const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    (value) => Promise.reject(new Error(`no failure but ${JSON.stringify(value)}`)),
    (failure) => failure,
  );
