# fish completion for zulipctl: put it into ~/.config/fish/completions/zulipctl.fish
# It is made by: zulipctl completion fish

function __zulipctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    ZULIPCTL_SHELL=fish $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null
end

complete -c zulipctl -f -a '(__zulipctl_complete)'
