// Writes the exports of a part as one object at its end.

/** The beginning of a part that esbuild has converted to CommonJS: helpers, and the exports with their functions. */
const beginning =
  /^((?:(?:var __|[ })/]).*\n)*?)var (\w+) = \{\};\n__export\(\2, \{\n((?: {2}.*\n)*)\}\);\nmodule\.exports = __toCommonJS\(\2\);\n/;

/**
 * esbuild makes the same helpers in each part, and two objects of functions for the exports, since modules may import each
 * other in circles. Those of src do not (test/whole.test.ts), so the values are there when the part ends. One object
 * of them saves 4 ms of CPU time, of help and of a list.
 */
export function withExports(code) {
  const found = beginning.exec(code);
  if (!found && code.includes("__toCommonJS"))
    throw new Error(`unexpected beginning of a part: ${code.slice(0, 1000)}`);
  // It exports nothing.
  if (!found) return code;
  const [whole, helpers, , names] = found;
  const members = names.replaceAll(/^ {2}(.*): \(\) => (.*?),?$/gm, "  $1: $2,");
  const rest = code
    .slice(whole.length)
    // Parts have what `__toESM` would make of them.
    .replaceAll(/__toESM\(require\(("\.\/[\w-]+\.js")\)\)/g, "require($1)")
    // For Node's ES modules, which do not load it.
    .replace(/\/\/ Annotate the CommonJS export names .*\n0 && \(module\.exports = \{[^}]*\}\);\n/, "");
  const own = [...helpers.matchAll(/^var (__\w+)/gm)].map(([, name]) => name);
  const needed = new RegExp(`(?<![.\\w])(?:${own.join("|")})\\b`).test(rest) ? helpers : "";
  return `${needed}${rest}module.exports = {\n${members}};\n`;
}
