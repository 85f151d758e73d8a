import { strip } from "../../common/folding.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import type { Snapshot } from "../snapshot.ts";
import { listSection } from "./list-section.ts";

type Playground = NonNullable<Snapshot["organization"]["realm_playgrounds"]>[number];

export const playgroundsSection = listSection<Playground>("playground", {
  doc: "Sites that run code of messages.",
  requiredToCreate: "url_template",
  more: { url_template: { shape: nonEmptyShape, stored: strip } },
});
