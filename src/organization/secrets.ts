/** What of an answer lets somebody in: snapshots are kept without it. */

/** Members whose values let somebody in or act as somebody: keys of services and bots, links of invitations, addresses to post by. */
const secret = (name: string): boolean =>
  /(^|_)(api_key|token|secret|password)$/.test(name) || name === "link_url" || name === "email_address";

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** `judged` keeps what is known of names: thousands of records have the same. */
function isSecret(name: string, judged: Map<string, boolean>): boolean {
  let is = judged.get(name);
  if (is === undefined) {
    is = secret(name);
    judged.set(name, is);
  }
  return is;
}

/** The same without members that are secret; what holds none is not copied. */
export function withoutSecrets(value: object, judged: Map<string, boolean>): object {
  if (Array.isArray(value)) return value.some(isNested) ? listWithoutSecrets(value, judged) : value;
  const record = value as Record<string, unknown>;
  let kept: Record<string, unknown> | undefined;
  // Plain loops over names: pairs of names and members are so much to run that V8 would optimise this, for 10 ms.
  for (const name in record) {
    if (isSecret(name, judged)) {
      kept ??= { ...record };
      delete kept[name];
      continue;
    }
    const member = record[name];
    if (!isNested(member)) continue;
    const clean = withoutSecrets(member, judged);
    if (clean === member) continue;
    kept ??= { ...record };
    kept[name] = clean;
  }
  return kept ?? record;
}

function listWithoutSecrets(list: readonly unknown[], judged: Map<string, boolean>): readonly unknown[] {
  const kept = list.map((each) => (isNested(each) ? withoutSecrets(each, judged) : each));
  return kept.every((each, n) => each === list[n]) ? list : kept;
}
