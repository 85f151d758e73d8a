/**
 * Finds keys of object literals that nothing reads: the type for which the literal is used lacks them. The compiler finds
 * those of a literal that stands where the type is known. This finds also those of a variable, of a spread, and of a call.
 */
import { fileURLToPath } from "node:url";
import { type Expression, type Node, SyntaxKind } from "typescript/unstable/ast";
import {
  isArrowFunction,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNewExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSpreadAssignment,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Symbol as Key, type Type, TypeFlags } from "typescript/unstable/sync";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Types of which no key is known. */
const open =
  TypeFlags.Any |
  TypeFlags.Unknown |
  TypeFlags.Never |
  TypeFlags.NonPrimitive |
  TypeFlags.TypeParameter |
  TypeFlags.Conditional |
  TypeFlags.IndexedAccess |
  TypeFlags.Substitution;

const partsOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type]);

/** Returns whether a value of this type may have the key. */
function allows(checker: Checker, type: Type, key: string): boolean {
  return partsOf(type).some((part) => {
    if (part.flags & open) return true;
    if (part.isIntersectionType()) return part.getTypes().some((each) => allows(checker, each, key));
    if (!(part.flags & TypeFlags.Object)) return false;
    return (
      checker.getPropertyOfType(part, key) !== undefined ||
      checker.getIndexInfosOfType(part).length > 0 ||
      checker.getPropertiesOfType(part).length === 0
    );
  });
}

/** Returns whether the value of an expression goes where another type is expected. */
function isHandedOver(node: Expression): boolean {
  const { parent } = node;
  if (isCallExpression(parent) || isNewExpression(parent)) return parent.expression !== node;
  if (isVariableDeclaration(parent)) return parent.type !== undefined;
  if (isConditionalExpression(parent)) return parent.condition !== node;
  if (isBinaryExpression(parent)) return parent.right === node;
  if (isArrowFunction(parent)) return parent.body === node;
  if (isPropertyAssignment(parent)) return parent.initializer === node;
  return isReturnStatement(parent) || isParenthesizedExpression(parent);
}

/** Where a literal states a key. */
const statementsOf = (key: Key): string[] =>
  key.declarations.flatMap(({ path, index, kind }) =>
    kind === SyntaxKind.PropertyAssignment || kind === SyntaxKind.ShorthandPropertyAssignment ? `${path} ${index}` : [],
  );

/** Returns `path:line: key`, sorted. `under`: folders of the project. */
export function excessKeys(...under: string[]): string[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects();
    const { program, checker } = project!;
    const isOwn = (file: string) => under.some((folder) => file.startsWith(root + folder));
    const sources = program.getSourceFileNames().flatMap((file) => (isOwn(file) && program.getSourceFile(file)) || []);
    const excess = new Map<string, Key>();
    const used = new Set<string>();

    const compare = (value: Expression, target: Expression) => {
      const type = checker.getContextualType(target);
      if (!type) return;
      // Only types of literals: a value with a declared type may well have more than is read here.
      const literals = partsOf(checker.getTypeAtLocation(value)!).filter(
        (part) => part.getSymbol()?.name === "__object",
      );
      for (const key of literals.flatMap((part) => checker.getPropertiesOfType(part)))
        for (const statement of statementsOf(key))
          if (key.escapedName.startsWith("__@") || allows(checker, type, key.name)) used.add(statement);
          else excess.set(statement, key);
    };
    const visit = (node: Node): void => {
      if (isObjectLiteralExpression(node)) compare(node, node);
      else if (isIdentifier(node) || isCallExpression(node)) {
        if (isHandedOver(node)) compare(node, node);
      } else if (isSpreadAssignment(node) && isObjectLiteralExpression(node.parent))
        compare(node.expression, node.parent);
      node.forEachChild(visit);
    };
    for (const source of sources) visit(source);

    const names = new Set([...excess.values()].map(({ name }) => name));
    const readFrom = (owner: Node, name: string) => {
      const key = names.has(name) && checker.getPropertyOfType(checker.getTypeAtLocation(owner)!, name);
      if (key) for (const statement of statementsOf(key)) used.add(statement);
    };
    const visitReads = (node: Node): void => {
      if (isPropertyAccessExpression(node)) readFrom(node.expression, node.name.text);
      else if (isBindingElement(node)) {
        const name = node.propertyName ?? node.name;
        if (name && isIdentifier(name)) readFrom(node.parent, name.text);
      }
      node.forEachChild(visitReads);
    };
    for (const source of sources) visitReads(source);

    return [...excess]
      .filter(([statement]) => !used.has(statement))
      .map(([, { name, declarations }]) => {
        const node = declarations[0]!.resolve()!;
        const { fileName, text } = node.getSourceFile();
        const start = node.getStart();
        return `${fileName.replace(root, "")}:${text.slice(0, start).split("\n").length}: ${name}`;
      })
      .sort();
  } finally {
    api.close();
  }
}
