/** Whether devices with old apps get push notifications. */
import { register, registerPart } from "../api/events.ts";
import { isWithin, onlyEncryptedPushes } from "../api/levels.ts";
import type { Server } from "../client/server.ts";

/** Says what is lost. Undefined where servers never hold old kinds of notifications back. */
export async function pushRequirement(server: Server, level: number): Promise<{ isOn: boolean } | undefined> {
  if (!isWithin(onlyEncryptedPushes, level)) return undefined;
  const { realm_require_e2ee_push_notifications: isOn } = await server.lookUp(register, registerPart("realm"));
  return { isOn: isOn === true };
}

export const noOldPushes =
  "require_e2ee_push_notifications is on: devices whose app cannot decrypt get no push notifications";
