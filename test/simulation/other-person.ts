/** Sends the requests of another person. They are plain forms, so that nothing here is the program's. */
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Method } from "../../src/world/world.ts";
import { site } from "../run.ts";

export type FormRequest = readonly [method: Method, path: string, form?: Readonly<Record<string, unknown>>];

/** Texts stay unchanged, and everything else becomes JSON. */
const formText = (form: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(form).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ).toString();

/** Sends a request with the key of an account. The server may refuse it. */
export async function sendAs(
  sandbox: Sandbox,
  { delivery_email, api_key }: { readonly delivery_email: string; readonly api_key: string },
  [method, path, form]: FormRequest,
): Promise<void> {
  await sandbox.handle({
    method,
    url: `${site}/api/v1${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${delivery_email}:${api_key}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    ...(form && { body: formText(form) }),
    timeout: 1000,
  });
}
