/** Requests with files, as a browser sends them. */
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Method } from "../../src/world.ts";
import { basic, person, site, textOf } from "./asking.ts";

/** A picture of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

export type Files = [name: string, content: Buffer][];

/** Asks below `/api/v1` with parameters and files; gives the answer's JSON with its status. */
export async function upload(
  sandbox: Sandbox,
  method: Method,
  path: string,
  { as, files, form = {} }: { as: string; files: Files; form?: Record<string, string> },
) {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.append(name, value);
  for (const [name, content] of files) data.append(name, new Blob([new Uint8Array(content)]), name);
  const encoded = new Response(data);
  const type = encoded.headers.get("content-type")!;
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const answer = await sandbox.handle(
    {
      method,
      url: `${site}/api/v1${path}`,
      headers: { authorization: basic(person(sandbox, as)), "content-type": type },
      body: Buffer.from(bytes).toString("latin1"),
      timeout: 1000,
    },
    undefined,
    bytes,
  );
  return { status: answer.status, ...JSON.parse(await textOf(answer)) };
}
