/** The completion scripts. Each asks `zulipctl __complete` with the words before the cursor and the one it is in. */
import zsh from "../../../completions/_zulipctl?raw";
import bash from "../../../completions/zulipctl.bash?raw";
import fish from "../../../completions/zulipctl.fish?raw";

export const stubs = { bash, zsh, fish } as const;
