#!/usr/bin/env bash
# Installs one version of zulipctl for the steps that follow. VERSION: a version, or the path of a package. Where there is no Node
# for the package, the executable is installed, which needs none.
set -euo pipefail

case $VERSION in
  *.tgz)
    [ -f "$VERSION" ] || { echo "::error::version: there is no such file"; exit 2; }
    package=$VERSION ;;
  *)
    [[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
      { echo "::error::version: must be a version such as 1.0.0, or the path of a .tgz file"; exit 2; }
    package=zulipctl@$VERSION ;;
esac
prefix=$RUNNER_TEMP/zulipctl
mkdir -p "$prefix"
found=$(node --version 2>/dev/null || true)
IFS=. read -r major minor _ <<<"${found#v}"
if ! command -v npm >/dev/null || ((${major:-0} < 20 || (major == 20 && minor < 19))); then
  [ "$package" != "$VERSION" ] || { echo "::error::version: the package needs Node 20.19 or newer: use actions/setup-node"; exit 2; }
  installer=$GITHUB_ACTION_PATH/../../packaging/install.sh
  [ -f "$installer" ] || { echo "::error::Node 20.19 or newer is required: use actions/setup-node"; exit 2; }
  sh "$installer" --to "$prefix/bin" "$VERSION"
  echo "$prefix/bin" >>"$GITHUB_PATH"
  exit
fi
# Without the keychain, which is the only package that zulipctl depends on: the key comes from the environment.
npm install --global --prefix "$prefix" --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error -- "$package"
echo "$prefix/bin" >>"$GITHUB_PATH"
