#!/usr/bin/env bash
# Posts the Markdown of BODY on PULL_REQUEST, in place of an earlier comment of the same account that begins with the same
# line. Needs gh and GH_TOKEN.
set -euo pipefail

# Dollar signs belong to GraphQL.
# shellcheck disable=SC2016
find='query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { comments(first: 100, after: $endCursor) {
    nodes { id viewerDidAuthor body } pageInfo { hasNextPage endCursor }
  } } }
}'
# shellcheck disable=SC2016
update='mutation($id: ID!, $body: String!) {
  updateIssueComment(input: {id: $id, body: $body}) { issueComment { url } }
}'
first='.data.repository.pullRequest.comments.nodes[] | select(.viewerDidAuthor)
  | [.id, (.body | split("\n")[0] | rtrimstr("\r"))] | @tsv'

marker=$(head -n 1 "$BODY")
own=$(gh api graphql --paginate -f query="$find" -f owner="${GITHUB_REPOSITORY%%/*}" -f name="${GITHUB_REPOSITORY#*/}" \
  -F number="$PULL_REQUEST" --jq "$first")
id=
while IFS=$'\t' read -r each line; do
  if [ "$line" = "$marker" ]; then id=$each; fi
done <<<"$own"
if [ -n "$id" ]; then
  url=$(gh api graphql -f query="$update" -f id="$id" -F body=@"$BODY" --jq .data.updateIssueComment.issueComment.url)
else
  url=$(gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" -F body=@"$BODY" --jq .html_url)
fi
echo "comment=$url" >>"$GITHUB_OUTPUT"
