#!/usr/bin/env bash
# Runs zulipctl and keeps its exit code, which a later step ends with. COMMAND: plan, apply or drift. FILES and FLAGS: one a
# line. BASE: the commit with the files as they were before. The server and the account are in ZULIP_SITE, ZULIP_EMAIL and
# ZULIP_API_KEY.
set -euo pipefail

case $COMMAND in
  plan | apply | drift) ;;
  *) echo "::error::command: must be plan, apply or drift"; exit 2 ;;
esac
paths=() more=() planned=() dry=
while read -r line; do [ -z "$line" ] || paths+=("$line"); done <<<"$FILES"
while read -r line; do [ -z "$line" ] || more+=("$line"); done <<<"$FLAGS"
# A plan changes nothing, and a dry run of it would write none.
for flag in ${more[@]+"${more[@]}"}; do
  if [ "$flag" = --dry-run ]; then dry=" --dry-run"; else planned+=("$flag"); fi
done
[ ${#paths[@]} -gt 0 ] || { echo "::error::files: must name a file or folder"; exit 2; }
dir=$(mktemp -d "$RUNNER_TEMP/zulipctl-run.XXXXXX")

# The files as they were before. A new branch has no commit before it: GitHub sends zeros.
older=()
if [[ $BASE =~ ^[0-9a-f]{40,64}$ && $BASE =~ [^0] ]]; then
  mkdir "$dir/base"
  git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$BASE" || true
  if git archive "$BASE" 2>/dev/null | tar -x -C "$dir/base"; then
    for path in "${paths[@]}"; do
      [ ! -e "$dir/base/$path" ] || older+=(--base "$dir/base/$path")
    done
  else
    echo "::warning::base: commit $BASE cannot be read: the plan does not name what its files set"
  fi
fi

# Nothing that zulipctl prints is a command to the runner.
token=$(od -An -N18 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
code=0
plan=(org plan --out "$dir/plan.json" -o markdown)
[ "$COMMAND" != drift ] || plan+=(--exit-code)
zulipctl "${plan[@]}" ${planned[@]+"${planned[@]}"} ${older[@]+"${older[@]}"} -- "${paths[@]}" \
  >"$dir/plan.md" 2>"$dir/errors" || code=$?
# The older files may have an error that the new ones mend.
if [ $code = 2 ] && [ ${#older[@]} -gt 0 ]; then
  code=0
  zulipctl "${plan[@]}" ${planned[@]+"${planned[@]}"} -- "${paths[@]}" >"$dir/plan.md" 2>"$dir/errors" || code=$?
fi
cat "$dir/errors" >&2
if [ "$COMMAND" = apply ] && [ $code = 0 ]; then
  zulipctl org apply --yes ${more[@]+"${more[@]}"} -- "${paths[@]}" || code=$?
fi
echo "::$token::"
if [ $code = 0 ] && [ ! -s "$dir/plan.json" ]; then
  echo "::error::flags: zulipctl made no plan with these flags"
  code=2
fi

if [ -s "$dir/plan.json" ]; then
  # A runner with the executable need not have Node.
  if command -v jq >/dev/null; then
    jq -r '"changes=\(.changes | length)",
      (("destructive", "irreversible") as $mark | "\($mark)=\([.changes[] | select(.[$mark])] | length)")' "$dir/plan.json"
  else
    node -e '
      const { changes } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      console.log("changes=" + changes.length);
      for (const mark of ["destructive", "irreversible"])
        console.log(mark + "=" + changes.filter((change) => change[mark]).length);
    ' "$dir/plan.json"
  fi >>"$GITHUB_OUTPUT"
  echo "plan=$dir/plan.json" >>"$GITHUB_OUTPUT"
else
  # It takes the place of an older plan, which the comment would show still.
  site=${ZULIP_SITE:-} site=${site%/}
  case $site in *://*) ;; *) site=https://$site ;; esac
  # shellcheck disable=SC2016
  printf '<!-- zulipctl org plan %s -->\n### No plan\n\n`zulipctl org plan` ended with exit code %s. See [the run](%s).\n' \
    "${site//[^A-Za-z0-9_.:\/-]/}" "$code" "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" >"$dir/plan.md"
fi
{
  echo "markdown=$dir/plan.md"
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
{
  cat "$dir/plan.md"
  # shellcheck disable=SC2016
  [ "$COMMAND" != apply ] || printf '\n`zulipctl org apply%s` ended with exit code %s.\n' "$dry" "$code"
} >>"$GITHUB_STEP_SUMMARY"
