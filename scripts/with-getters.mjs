// The names that a part exports, in the form that takes the least time to make and to use.

/** How a part begins that esbuild has turned into CommonJS: functions of its own, what is exported, and what gives it. */
const beginning =
  /^((?:(?:var __|[ })/]).*\n)*?)var (\w+) = \{\};\n__export\(\2, \{\n((?: {2}.*\n)*)\}\);\nmodule\.exports = __toCommonJS\(\2\);\n/;

/**
 * esbuild has each part make the same functions, and with them two objects of functions that give what is exported, one
 * of which asks the other. As getters of one object the names take some 2 ms less of a list.
 */
export function withGetters(code) {
  const found = beginning.exec(code);
  if (!found && code.includes("__toCommonJS")) throw new Error(`a part begins otherwise: ${code.slice(0, 1000)}`);
  // It exports nothing.
  if (!found) return code;
  const [whole, helpers, , names] = found;
  const getters = names.replaceAll(/^ {2}(.*): \(\) => (.*?),?$/gm, "  get $1() { return $2; },");
  const rest = code
    .slice(whole.length)
    // Parts have what `__toESM` would make of them.
    .replaceAll(/__toESM\(require\(("\.\/[\w-]+\.js")\)\)/g, "require($1)");
  const own = [...helpers.matchAll(/^var (__\w+)/gm)].map(([, name]) => name);
  const needed = new RegExp(`(?<![.\\w])(?:${own.join("|")})\\b`).test(rest) ? helpers : "";
  return `module.exports = {\n${getters}};\n${needed}${rest}`;
}
