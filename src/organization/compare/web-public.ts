/** Whether the web may see channels at all, which takes the server and a setting of the organization. */
import type { FieldChange } from "../difference.ts";
import type { Comparing } from "./comparing.ts";
import type { Pair } from "./pairing.ts";

/** The plan of organizations that have no web-public channels. */
const limited = 2;

/** Whether the change passes; what does not is noted as refused. */
export function webPublicAccess(
  { snapshot, content, findings }: Comparing,
  { name, path }: Pair,
  { field, to }: FieldChange,
): boolean {
  if (field !== "is_web_public" || to !== true) return true;
  const { server_web_public_streams_enabled, realm_plan_type, realm_enable_spectator_access } = snapshot.organization;
  const refuse = (says: string) => {
    findings.refuse({ section: "channels", name, field, path: [...path, field], says });
    return false;
  };
  if (server_web_public_streams_enabled === false || realm_plan_type === limited)
    return refuse("cannot be web-public: this server has web-public channels switched off");
  const { enable_spectator_access } = content.settings ?? {};
  // Channels that are web-public stay so when it is switched off, and so it is switched off after they are.
  return realm_enable_spectator_access !== false || enable_spectator_access === true
    ? true
    : refuse("cannot be web-public: enable_spectator_access is off");
}
