/** Every route of the sandbox. */
import type { Route } from "../router.ts";
import { serverRoutes } from "./server.ts";
import { userRoutes } from "./users.ts";

export const routes: readonly Route[] = [...serverRoutes, ...userRoutes];
