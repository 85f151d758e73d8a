import type { SandboxInfo } from "../../embedded.ts";
import type { Choice, Row } from "../../output/form.ts";
import { write } from "../../output/gathering.ts";
import { jsonText } from "../../output/json.ts";
import { print } from "../../output/present.ts";
import { safe } from "../../output/safe.ts";
import type { Context } from "../../shell/context.ts";
import { choiceOf } from "../../shell/flags.ts";
import type { World } from "../../world.ts";
import { roleName } from "../users/role.ts";
import { owner } from "./owner.ts";
import { type Options as Setup, setupOf } from "./setup.ts";

type Options = Setup & { port?: number };

const shown = 20;

function words(line: SandboxInfo): string {
  const { site, feature_level, users } = line;
  const width = Math.max(...users.slice(0, shown).map(({ email }) => email.length));
  const people = users
    .slice(0, shown)
    .map(({ email, role, is_bot, is_active, api_key, password }) =>
      [
        `  ${email.padEnd(width)}  ${(is_bot ? "bot" : roleName(role)).padEnd(13)}  ${api_key}`,
        password && `  ${password}`,
        !is_active && "  (deactivated)",
      ]
        .filter(Boolean)
        .join(""),
    );
  const { email, api_key } = owner(line);
  return [
    `The sandbox is ready: ${site} (feature level ${feature_level}). It keeps nothing; Ctrl-C ends it.`,
    "",
    "People, with API key and password:",
    ...people,
    ...(users.length > shown ? [`  and ${users.length - shown} others`] : []),
    "",
    "In another terminal:",
    `  export ZULIP_SITE=${site} ZULIP_EMAIL=${email} ZULIP_API_KEY=${api_key}`,
    "  zulipctl users list",
    "",
  ]
    .map(safe)
    .join("\n");
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

async function tell(line: SandboxInfo, choice: Choice, world: World): Promise<void> {
  if (choice.form === "table" && !choice.fields) await write(world.stdout, words(line));
  // One line also on a terminal: programs wait for it.
  else if (choice.form === "json" && !choice.fields && choice.jq === undefined)
    await write(world.stdout, `${jsonText(line)}\n`);
  else await print({ kind: "single", record: line as unknown as Row, columns: [] }, choice, world);
}

/** Serves until a signal comes. */
export async function start(context: Context, options: Options): Promise<undefined> {
  const { world, flags } = context;
  const server = await world.embed({ ...(await setupOf(context, options)), port: options.port ?? 0 });
  try {
    await tell(server.line, choiceOf(flags), world);
    await stopped(world.signals.stop);
  } finally {
    await server.close();
  }
}
