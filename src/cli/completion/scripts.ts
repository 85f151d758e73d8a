/** The completion scripts. They call `zulipctl __complete` with the words up to the cursor. */
import zsh from "../../../completions/_zulipctl?raw";
import bash from "../../../completions/zulipctl.bash?raw";
import fish from "../../../completions/zulipctl.fish?raw";

export const completionScripts = { bash, zsh, fish } as const;
