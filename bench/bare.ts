/** The least that asks for the list of people over the program's own undici and prints their ids. */
import { buildConnector, Pool } from "undici";

const site = process.env.ZULIP_SITE!;
const pool = new Pool(site, { connect: buildConnector({}) });
const authorization = `Basic ${Buffer.from(`${process.env.ZULIP_EMAIL}:${process.env.ZULIP_API_KEY}`).toString("base64")}`;
const chunks: Buffer[] = [];
pool.dispatch(
  { origin: site, path: "/api/v1/users", method: "GET", headers: { authorization } },
  {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      const { members } = JSON.parse(Buffer.concat(chunks).toString()) as { members: { user_id: number }[] };
      process.stdout.write(members.map(({ user_id }) => `${user_id}\n`).join(""));
      void pool.destroy();
    },
    onResponseError(_, error) {
      throw error;
    },
  },
);
