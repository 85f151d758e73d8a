# bash completion for zulipctl: source this file, or put it where bash-completion looks.
# It is made by: zulipctl completion bash

_zulipctl() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() count=0 word before candidate
  # Bash also cuts words at = and :. What no white space separates belongs together.
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    before=$rest
    rest=${rest#"${rest%%[![:space:]]*}"}
    [[ $rest == "$word"* ]] || word=$rest
    if ((count)) && [[ $rest == "$before" ]]; then
      words[count - 1]+=$word
    else
      words[count++]=$word
    fi
    rest=${rest#"$word"}
  done
  local current=${words[count - 1]}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == $'\tfiles' ]]; then
      # Bash 3 has no compopt, and so no quotes and slashes.
      compopt -o default 2>/dev/null && return
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "${current##*[=:]}")
      return
    fi
    COMPREPLY+=("$candidate")
  done < <(ZULIPCTL_SHELL=bash ZULIPCTL_WORDBREAKS=$COMP_WORDBREAKS "${words[0]}" __complete -- "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:/] ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _zulipctl zulipctl
