/** The completion scripts. Each asks `zulipctl __complete` with the words before the cursor and the one it is in. */

const bash = `# bash completion for zulipctl: source this file, or put it where bash-completion looks.
# It is made by: zulipctl completion bash

_zulipctl() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() count=0 word before candidate
  # Bash also cuts words at = and :. What no white space separates belongs together.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    before=$rest
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    [[ $rest == "$word"* ]] || word=$rest
    if ((count)) && [[ $rest == "$before" ]]; then
      words[count - 1]+=$word
    else
      words[count++]=$word
    fi
    rest=\${rest#"$word"}
  done
  local current=\${words[count - 1]}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == $'\\tfiles' ]]; then
      # Bash 3 has no compopt, and so no quotes and slashes.
      compopt -o default 2>/dev/null && return
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "\${current##*[=:]}")
      return
    fi
    COMPREPLY+=("$candidate")
  done < <(ZULIPCTL_SHELL=bash ZULIPCTL_WORDBREAKS=$COMP_WORDBREAKS "\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[=:/] ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _zulipctl zulipctl
`;

const zsh = `#compdef zulipctl
# zsh completion for zulipctl: put it as _zulipctl into a directory of $fpath, or source it after compinit.
# It is made by: zulipctl completion zsh

_zulipctl() {
  local -a lines described open
  local line value attached
  # Inside single quotes a backslash is one.
  local current=\${(Q)PREFIX}
  [[ $compstate[quote] == "'" ]] && current=$PREFIX
  lines=("\${(@f)$("\${words[1]}" __complete -- "\${(@Q)words[2,CURRENT-1]}" "$current" 2>/dev/null)}")
  if [[ $PREFIX == --*=* ]]; then
    attached=\${PREFIX%%=*}=
    compset -P 1 '*='
    lines=("\${(@)lines#--*=}")
  fi
  for line in "\${lines[@]}"; do
    [[ -z $line ]] && continue
    if [[ $line == $'\\tfiles\\t'* ]]; then
      # What stands before the path: the flag with its =, an @.
      value=\${line#$'\\tfiles\\t'}
      value=\${\${value%%$'\\t'*}#$attached}
      [[ $PREFIX == "$value"* ]] && compset -p $#value
      _files
      return
    fi
    value=\${line%%$'\\t'*}
    line=\${\${value//\\\\/\\\\\\\\}//:/\\\\:}\${\${\${line#"$value"}//\\\\/\\\\\\\\}/$'\\t'/:}
    if [[ $value == *[=:/] ]]; then open+=("$line"); else described+=("$line"); fi
  done
  local found=1
  ((\${#described})) && _describe -V 'zulipctl' described && found=0
  ((\${#open})) && _describe -V 'zulipctl' open -S '' && found=0
  return found
}

if [[ $funcstack[1] == _zulipctl ]]; then
  _zulipctl "$@"
else
  compdef _zulipctl zulipctl
fi
`;

const fish = `# fish completion for zulipctl: put it into ~/.config/fish/completions/zulipctl.fish
# It is made by: zulipctl completion fish

function __zulipctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    ZULIPCTL_SHELL=fish $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null
end

complete -c zulipctl -f -a '(__zulipctl_complete)'
`;

export const stubs = { bash, zsh, fish } as const;
