/** What somebody writes who has many channels to describe: requests over undici, and nothing besides. */
import { Pool } from "undici";

export interface BareLoop {
  send(id: number | string, description: string): Promise<Record<string, unknown>>;
  close(): Promise<unknown>;
}

export function bareLoop(): BareLoop {
  const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = process.env as Record<string, string>;
  const site = ZULIP_SITE!;
  const pool = new Pool(site, { connections: 1 });
  const headers = {
    authorization: `Basic ${Buffer.from(`${ZULIP_EMAIL}:${ZULIP_API_KEY}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const send = (id: number | string, description: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const body = new URLSearchParams({ description }).toString();
      pool.dispatch(
        { origin: site, path: `/api/v1/streams/${id}`, method: "PATCH", headers, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData: (_, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  return { send, close: () => pool.close() };
}
