/**
 * A small shell: pipes, `<`, `>`, `>>`, `VARIABLE=value` before a command, and the programs `echo`, `printf` and `cat`. All
 * other programs are arguments. A here-document arrives as `input`.
 */
import { split } from "shellwords-ts";
import { type Captured, captured } from "../world.ts";

/** Runs with stdin (undefined: not redirected), and returns the exit code. */
export type Program = (
  argv: readonly string[],
  io: { input: string | undefined; stdout: Captured; env: Readonly<Record<string, string>> },
) => Promise<number>;

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\\": "\\" };

const builtIns = (files: Map<string, string>): Record<string, Program> => {
  const read = (path: string) => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`cat: ${path} not found`);
    return text;
  };
  return {
    echo: async (argv, { stdout }) => stdout.write(`${argv.join(" ")}\n`).then(() => 0),
    printf: async ([text = ""], { stdout }) =>
      stdout
        .write(
          text.replace(/\\(?:u([\da-f]{4})|(.))/g, (_, code, letter) =>
            code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[letter] ?? ""),
          ),
        )
        .then(() => 0),
    cat: async (argv, { input = "", stdout }) =>
      stdout.write(argv.length ? argv.map(read).join("") : input).then(() => 0),
  };
};

/** Removes a redirection such as `> rows.csv` from the words, and returns its file. */
function redirection(words: string[], sign: string): string | undefined {
  const at = words.indexOf(sign);
  return at < 0 ? undefined : words.splice(at, 2)[1];
}

/** Runs one line. Returns the exit code of the last program. */
export async function runLine(
  line: string,
  {
    files,
    programs,
    stdout,
    input,
  }: {
    files: Map<string, string>;
    programs: Readonly<Record<string, Program>>;
    stdout: Captured;
    input?: string | undefined;
  },
): Promise<number> {
  const words = split(line.replace(/ <<EOF/, ""));
  const appended = redirection(words, ">>");
  const target = appended ?? redirection(words, ">");
  const source = redirection(words, "<");
  const known = { ...builtIns(files), ...programs };
  let piped = source === undefined ? input : files.get(source);
  let code = 0;
  const commands = words.join("\0").split("\0|\0");
  for (const [n, command] of commands.entries()) {
    const isLast = n === commands.length - 1;
    const output = isLast && target === undefined ? stdout : captured();
    const argv = command.split("\0");
    const env: Record<string, string> = {};
    for (; /^[A-Z_]+=/.test(argv[0] ?? ""); argv.shift()) {
      const [name = "", value = ""] = argv[0]!.split(/=(.*)/s);
      env[name] = value;
    }
    const [name = "", ...rest] = argv;
    const program = known[name];
    if (!program) throw new Error(`unknown program: ${name}`);
    code = await program(rest, { input: piped, stdout: output, env });
    if (!isLast) piped = output.text;
    else if (target !== undefined)
      files.set(target, (appended === undefined ? "" : (files.get(target) ?? "")) + output.text);
  }
  return code;
}
