/** The requests for differences. `#1` stands for the id of what the first difference creates. */
import { readdirSync } from "node:fs";
import { test } from "vitest";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { orderRequests, type RequestStep } from "../../src/organization/order.ts";
import { predict } from "../../src/organization/prediction.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { type Case, checkCases, differenceOf } from "./cases.ts";
import { snapshotIn } from "./snapshots.ts";

const shown = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/-9007199254740\d+/g, (id) => `"#${Number(id) - Number.MIN_SAFE_INTEGER}"`)
    .replace(/(\d+),(?:\d+,){9,}(\d+)/g, "$1…$2");

function line({
  change: { operation, args, words, provisionalId: makes, ids, newChannel, ifChanged },
  needs,
}: RequestStep): string {
  const more = [
    words!.what,
    makes !== undefined && `makes ${shown(makes)} (${ids})`,
    newChannel !== undefined && `new channel ${newChannel}`,
    ifChanged && "no error if it is unchanged",
    needs.length && `needs ${needs}`,
  ];
  return [`${operation.name} ${shown(args)}`, ...more.filter(Boolean)].join("; ");
}

async function requests({ given, options, lines }: Case): Promise<string[]> {
  const { level = 478, as } = options as { level?: number; as?: number };
  const sandbox = fresh({ level });
  given(sandbox.state);
  return orderRequests(predict(groupMembershipIn(await snapshotIn(sandbox, as)), lines.map(differenceOf)), {
    verifyWith: "x",
  }).map(line);
}

/** Only the deactivated group makers, with the owner in it, manages groups. */
function onlyMakersManage({ groups, organization }: SandboxState): void {
  const makers = [...groups.values()].find(({ name }) => name === "makers")!;
  Object.assign(organization.permissions, { can_manage_all_groups: makers.id });
  makers.deactivated = true;
  makers.members.add(8);
  for (const { settings, is_system_group } of groups.values())
    if (!is_system_group) Object.assign(settings, { can_manage_group: 9, can_add_members_group: 9 });
  makers.settings.can_manage_group = { direct_members: [8], direct_subgroups: [] };
}

test.each(readdirSync(`${import.meta.dirname}/requests`))("makes the requests of %s", async (name) => {
  await checkCases(`requests/${name}`, requests, { "only makers manage groups": onlyMakersManage });
});
