import { updateOrganization } from "../../api/organization.ts";
import { strip } from "../../common/folding.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import { organizationSetting, type Snapshot } from "../snapshot.ts";
import { listSection } from "./list-section.ts";

type Playground = NonNullable<Snapshot["organization"]["realm_playgrounds"]>[number];

export const playgroundsSection = listSection<Playground>("playground", {
  doc: "Sites that run code of messages.",
  requiredToCreate: "url_template",
  more: { url_template: { shape: nonEmptyShape, stored: strip } },
  // If the default language of code blocks is that of a removed playground, servers reset it.
  restored: ({ snapshot }, record) => {
    const language = organizationSetting(snapshot, "default_code_block_language");
    if (!language || record?.pygments_language !== language) return [];
    const args = { default_code_block_language: language };
    return [{ operation: updateOrganization, args, result: "default language kept" }];
  },
});
