/** A stand-in for gh with the calls of the action. Its token belongs to `github-actions`. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { filtered } from "../../src/output/jq.ts";

interface Comment {
  id: string;
  author: string;
  body: string;
}

export interface GhState {
  /** The comments of one pull request. */
  comments: Comment[];
  calls: { argv: string[]; token: string }[];
  /** Why every call fails. */
  refuses: string;
}

/** The program: it sends its words to the test, and prints the answer. Starting Node for each call would take ten times as long. */
export const ghScript = `#!/bin/sh
for word; do
  set -- "$@" --data-urlencode "word=$word"
  shift
done
code=$(curl --silent --noproxy '*' --output "$0.answer" --write-out '%{http_code}' \\
  --header "authorization: $GH_TOKEN" "$@" "$GH_SERVER")
[ "$code" = 200 ] && exec cat "$0.answer"
cat "$0.answer" >&2
exit 1
`;

class Refused extends Error {}

/** Sorts the words of a call. `-f` has the text, `-F` can name a file. */
function readCall(argv: readonly string[]) {
  const fields = new Map<string, string>();
  const rest: string[] = [];
  const options: Record<string, string> = {};
  const words = argv.values();
  const next = () => words.next().value ?? "";
  for (const word of words) {
    if (word === "--jq" || word === "--method") options[word] = next();
    else if (word === "-f" || word === "-F") {
      const [name = "", value = ""] = next().split(/=(.*)/s);
      fields.set(name, word === "-F" && value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value);
    } else rest.push(word);
  }
  return { rest, fields, filter: options["--jq"] ?? ".", method: options["--method"] };
}

/** Returns the pages of the answer. Two comments a page, so that tests need several pages. */
function answersOf(state: GhState, { rest, fields, method }: ReturnType<typeof readCall>): unknown[] {
  const [command, what] = rest;
  if (command !== "api") throw new Refused(`unknown command ${command}`);
  if (state.refuses) throw new Refused(state.refuses);
  const query = what === "graphql" ? (fields.get("query") ?? "") : "";
  if (query.startsWith("query")) {
    if (fields.get("owner") !== "acme" || fields.get("name") !== "chat" || fields.get("number") !== "7")
      throw new Refused("Could not resolve to a PullRequest");
    const nodes = state.comments.map(({ id, author, body }) => {
      return { id, viewerDidAuthor: author === "github-actions", body };
    });
    const pages = [];
    for (let n = 0; n === 0 || n < nodes.length; n += 2) pages.push(nodes.slice(n, n + 2));
    return (rest.includes("--paginate") ? pages : pages.slice(0, 1)).map((nodes) => {
      return { data: { repository: { pullRequest: { comments: { nodes } } } } };
    });
  }
  const body = fields.get("body") ?? "";
  if (query.startsWith("mutation")) {
    const comment = state.comments.find(({ id }) => id === fields.get("id"));
    if (!comment) throw new Refused("Could not resolve to a node");
    comment.body = body;
    const issueComment = { url: `https://github.com/acme/chat/pull/7#${comment.id}` };
    return [{ data: { updateIssueComment: { issueComment } } }];
  }
  if (method === "POST" && what === "repos/acme/chat/issues/7/comments") {
    const id = `IC_${state.comments.length}`;
    state.comments.push({ id, author: "github-actions", body });
    return [{ html_url: `https://github.com/acme/chat/pull/7#${id}` }];
  }
  throw new Refused("Not Found (HTTP 404)");
}

/** Like gh, which prints texts as they are. */
const printed = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return `${typeof value === "string" ? value : json}\n`;
};

/** Answers the calls until the test ends. Returns the address for GH_SERVER. */
export async function serveGh(state: GhState): Promise<string> {
  const server = createServer(async (request, response) => {
    const argv = new URLSearchParams(await text(request)).getAll("word");
    state.calls.push({ argv, token: request.headers.authorization ?? "" });
    const call = readCall(argv);
    try {
      let out = "";
      for (const each of answersOf(state, call))
        for (const result of (await filtered(JSON.stringify(each), call.filter)).results) out += printed(result);
      response.end(out);
    } catch (error) {
      response.writeHead(400).end(error instanceof Refused ? `gh: ${error.message}\n` : String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
