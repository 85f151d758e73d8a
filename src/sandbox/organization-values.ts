/** The values of the organization's settings, as the state has them. */
import type { OrganizationPermission, OrganizationSetting, organizationSettings } from "../model/organization.ts";
import type { Choices } from "../model/setting.ts";

type Stored<S> = S extends { kind: "boolean" }
  ? boolean
  : S extends { kind: "number" | "channel" }
    ? number
    : S extends { kind: "limit" }
      ? number | null
      : S extends { kind: "url" }
        ? string | null
        : S extends { choices: Choices }
          ? number | string
          : string;

/** The values of settings, without permissions and what the sandbox keeps elsewhere. */
export type OrganizationValues = {
  [N in Exclude<OrganizationSetting, OrganizationPermission | "authentication_methods" | "string_id">]: Stored<
    (typeof organizationSettings)[N]
  >;
};
