#!/usr/bin/env bash
# Runs zulipctl and keeps its exit code, which a later step ends with. COMMAND: plan, apply or drift. FILES and FLAGS: one a
# line. The server and the account are in ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.
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

# Nothing that zulipctl prints is a command to the runner.
token=$(node -p 'require("node:crypto").randomUUID()')
echo "::stop-commands::$token"
code=0
plan=(org plan --out "$dir/plan.json" -o markdown)
[ "$COMMAND" != drift ] || plan+=(--exit-code)
zulipctl "${plan[@]}" ${planned[@]+"${planned[@]}"} -- "${paths[@]}" >"$dir/plan.md" || code=$?
if [ "$COMMAND" = apply ] && [ $code = 0 ]; then
  zulipctl org apply --yes ${more[@]+"${more[@]}"} -- "${paths[@]}" || code=$?
fi
echo "::$token::"
if [ $code = 0 ] && [ ! -s "$dir/plan.json" ]; then
  echo "::error::flags: zulipctl made no plan with these flags"
  code=2
fi

if [ -s "$dir/plan.json" ]; then
  node -e '
    const { changes } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    console.log("changes=" + changes.length);
    for (const mark of ["destructive", "irreversible"])
      console.log(mark + "=" + changes.filter((change) => change[mark]).length);
  ' "$dir/plan.json" >>"$GITHUB_OUTPUT"
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
