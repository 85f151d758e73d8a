# fish completion for zulipctl: put it into ~/.config/fish/completions/zulipctl.fish
# It is made by: zulipctl completion fish

function __zulipctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (ZULIPCTL_SHELL=fish $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
    if contains -- :files $lines
        set -l path (string replace -r '^--[^=]*=' '' -- "$current")
        set -l kept (string match -r '^--[^=]*=' -- "$current")
        for file in (__fish_complete_path "$path")
            echo "$kept$file"
        end
        return
    end
    printf '%s\n' $lines
end

complete -c zulipctl -f -a '(__zulipctl_complete)'
