#!/usr/bin/env bash
# Installs one version of zulipctl for the steps that follow. VERSION: a version, or the path of a package.
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
# Without the keychain, which is the only package that zulipctl depends on: the key comes from the environment.
npm install --global --prefix "$prefix" --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error -- "$package"
echo "$prefix/bin" >>"$GITHUB_PATH"
