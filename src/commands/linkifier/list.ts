import { getLinkifiers, type Linkifier } from "../../api/linkifiers.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../shell/context.ts";

export async function list({ ask }: Context): Promise<Listing<Linkifier>> {
  const { linkifiers } = await ask(getLinkifiers, {});
  return {
    kind: "listing",
    records: linkifiers,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "PATTERN", value: ({ pattern }) => pattern },
      { head: "URL TEMPLATE", value: ({ url_template }) => url_template },
    ],
  };
}
