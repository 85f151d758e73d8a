#!/bin/sh
# Installs zulipctl for this user, on Linux and macOS:
#
#   curl -fsSL https://github.com/zulipctl/zulipctl/releases/latest/download/install.sh | sh
#   sh install.sh [--to <directory>] [<version>]
#
# It downloads one executable, checks its sum, and puts it into ~/.local/bin or the directory of --to. It never asks for root.
# ZULIPCTL_DOWNLOAD_URL names another place that has the files of a release. curl and wget use the proxy of https_proxy.
set -eu

releases=https://github.com/zulipctl/zulipctl/releases
usage="usage: install.sh [--to <directory>] [<version>]"

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Prints the name of the platform in the names of files.
platform() {
  system=$(uname -s) machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
  esac
  case $system in
    Linux)
      case $machine in
        x64 | arm64) ;;
        *) fail "no executable for Linux on $machine: install it with npm" ;;
      esac
      # The executable is linked with glibc.
      if ldd --version 2>&1 | grep -qi musl; then
        fail "no executable for musl, as in Alpine: use the container image, or install it with npm"
      fi
      echo "linux-$machine" ;;
    Darwin)
      # Under Rosetta, uname says that the processor is Intel's.
      if [ "$machine" = arm64 ] || [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
        echo macos-arm64
      else
        fail "no executable for Macs with Intel: install it with npm"
      fi ;;
    *) fail "no executable for $system: install it with npm" ;;
  esac
}

# Downloads a file of the release.
download() {
  echo "Downloading $url/$1" >&2
  if has curl; then
    curl -fsSL --retry 3 -o "$work/$1" "$url/$1" || fail "cannot download $url/$1"
  elif has wget; then
    wget -q -O "$work/$1" "$url/$1" || fail "cannot download $url/$1"
  else
    fail "curl or wget is required"
  fi
}

sha512() {
  if has sha512sum; then sha512sum "$1"; else shasum -a 512 "$1"; fi | cut -d ' ' -f 1
}

check_sum() {
  expected=$(awk -v name="$1" '$2 == name || $2 == "*" name || $2 == "./" name { print $1; exit }' "$work/SHA512SUMS")
  [ -n "$expected" ] || fail "SHA512SUMS does not name $1"
  actual=$(sha512 "$work/$1")
  [ "$actual" = "$expected" ] || fail "the sum of $1 is wrong: the download is incomplete, or was changed. Nothing was installed."
}

main() {
  to='' version=''
  while [ $# -gt 0 ]; do
    case $1 in
      --to)
        [ $# -gt 1 ] || fail "missing directory after --to
$usage"
        to=$2
        shift ;;
      --to=*) to=${1#--to=} ;;
      -h | --help)
        echo "$usage"
        exit 0 ;;
      [0-9]* | v[0-9]*)
        version=${1#v}
        case $version in *[!0-9A-Za-z.-]*) fail "invalid version \"$1\": must be such as 1.0.0" ;; esac ;;
      *) fail "unknown argument \"$1\"
$usage" ;;
    esac
    shift
  done
  if [ -z "$to" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set: name a directory with --to"
    to=$HOME/.local/bin
  fi
  url=${ZULIPCTL_DOWNLOAD_URL:-}
  if [ -z "$url" ]; then
    if [ -n "$version" ]; then url=$releases/download/v$version; else url=$releases/latest/download; fi
  fi
  url=${url%/}

  name=$(platform)
  has sha512sum || has shasum || fail "sha512sum or shasum is required"
  # macOS reads xz without the program.
  if has xz || [ "$name" = macos-arm64 ]; then archive=zulipctl-$name.tar.xz; else archive=zulipctl-$name.tar.gz; fi
  # Before the download: a directory that cannot be written is the most frequent mistake.
  mkdir -p "$to" 2>/dev/null || fail "cannot make the directory $to: choose another with --to"
  made=$to/.zulipctl-install.$$
  (: >"$made") 2>/dev/null || fail "cannot write to $to: choose another directory with --to"
  [ ! -d "$to/zulipctl" ] || fail "$to/zulipctl is a directory: choose another place with --to"
  work=$(mktemp -d)

  download SHA512SUMS
  download "$archive"
  check_sum "$archive"
  tar -xf "$work/$archive" -C "$work" zulipctl 2>/dev/null || fail "cannot unpack $archive. Nothing was installed."
  cat "$work/zulipctl" >"$made" || fail "cannot write to $to. Nothing was installed."
  chmod 755 "$made"
  found=$("$made" --version 2>&1) ||
    fail "the executable does not run here ($found). It requires glibc 2.28 or newer. Nothing was installed."
  [ -z "$version" ] || [ "$found" = "$version" ] ||
    fail "$url has version $found, not $version. Nothing was installed."
  mv -f "$made" "$to/zulipctl"

  echo "Installed zulipctl $found: $to/zulipctl"
  echo "Update it with the same command. Remove it with: rm '$to/zulipctl'"
  case $(command -v zulipctl || true) in
    "$to/zulipctl") ;;
    "") echo "Your PATH does not have $to: add this line to the file that your shell reads at its start.
    export PATH=\"$to:\$PATH\"" ;;
    *) echo "Your shell starts another zulipctl first: $(command -v zulipctl)" ;;
  esac
}

made='' work=''
clean() {
  [ -z "$made" ] || rm -f "$made"
  [ -z "$work" ] || rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# Called in the last line, so that a script that was cut does nothing.
main "$@"
