/** What is known of an endpoint that some operation states; of every other one nothing is. */
import { operations } from "../../api/registry.ts";
import type { AnyOperation } from "../../wire/operation.ts";

/** The values of the path's parameters, numbers as numbers; undefined where it is another path. */
function matched(template: string, path: string): Record<string, string | number> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string | number> = {};
  for (const [at, part] of wanted.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    const value = given[at] ?? "";
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined) values[name] = /^\d{1,15}$/.test(value) ? Number(value) : decodeURIComponent(value);
  }
  return values;
}

export interface Known {
  operation: AnyOperation;
  /** Of the parameters in its path. */
  values: Record<string, string | number>;
}

/** The operation of that method and path; of several the one whose path says most by itself. */
export function knownOperation(method: string, path: string): Known | undefined {
  const literal = ({ operation }: Known) => operation.path.split("/").filter((part) => !part.startsWith("{")).length;
  return operations()
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const values = matched(operation.path, path);
      return values ? [{ operation, values }] : [];
    })
    .sort((one, other) => literal(other) - literal(one))[0];
}
