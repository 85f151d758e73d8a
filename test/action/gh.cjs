/**
 * A stand-in for gh with the calls of the action. The comments of one pull request are in the file GH_STATE. The token
 * belongs to `github-actions`. Other calls end with 1.
 */
const { readFileSync, writeFileSync } = require("node:fs");

const state = JSON.parse(readFileSync(process.env.GH_STATE, "utf8"));
const argv = process.argv.slice(2);
state.calls.push({ argv, token: process.env.GH_TOKEN });

/** `-f` has the text, `-F` can name a file. */
const fields = new Map();
const rest = [];
let filter = ".";
let method;
for (let n = 0; n < argv.length; n++) {
  if (argv[n] === "--jq") filter = argv[++n];
  else if (argv[n] === "--method") method = argv[++n];
  else if (argv[n] === "-f" || argv[n] === "-F") {
    const [, name, text] = /^(\w+)=([\s\S]*)$/.exec(argv[n + 1]);
    fields.set(name, argv[n] === "-F" && text.startsWith("@") ? readFileSync(text.slice(1), "utf8") : text);
    n += 1;
  } else rest.push(argv[n]);
}

const refused = (why) => {
  process.stderr.write(`gh: ${why}\n`);
  process.exit(1);
};

/** Two comments a page, so that tests need several pages. */
function answers() {
  const [command, what] = rest;
  if (command !== "api") return refused(`unknown command ${command}`);
  if (state.refuses) return refused(state.refuses);
  if (what === "graphql" && fields.get("query").startsWith("query")) {
    if (fields.get("owner") !== "acme" || fields.get("name") !== "chat" || fields.get("number") !== "7")
      return refused("Could not resolve to a PullRequest");
    const pages = [];
    for (let n = 0; n === 0 || n < state.comments.length; n += 2) pages.push(state.comments.slice(n, n + 2));
    return (rest.includes("--paginate") ? pages : pages.slice(0, 1)).map((comments) => {
      const nodes = comments.map(({ id, author, body }) => ({
        id,
        viewerDidAuthor: author === "github-actions",
        body,
      }));
      return { data: { repository: { pullRequest: { comments: { nodes } } } } };
    });
  }
  if (what === "graphql" && fields.get("query").startsWith("mutation")) {
    const comment = state.comments.find(({ id }) => id === fields.get("id"));
    comment.body = fields.get("body");
    const issueComment = { url: `https://github.com/acme/chat/pull/7#${comment.id}` };
    return [{ data: { updateIssueComment: { issueComment } } }];
  }
  if (method === "POST" && what === "repos/acme/chat/issues/7/comments") {
    const id = `IC_${state.comments.length}`;
    state.comments.push({ id, author: "github-actions", body: fields.get("body") });
    return [{ html_url: `https://github.com/acme/chat/pull/7#${id}` }];
  }
  return refused("Not Found (HTTP 404)");
}

const given = answers();
writeFileSync(process.env.GH_STATE, JSON.stringify(state));
require("jq-web").then(({ raw }) => {
  for (const each of given)
    process.stdout.write(`${raw(JSON.stringify(each), filter, ["-r"])}\n`.replace(/\n\n$/, "\n"));
});
