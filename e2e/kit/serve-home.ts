/** The product on a home of its own, for tests and benches: with their administrator, at a free port. */
import { readConfig } from "../../apps/server/src/config.ts";
import { startServer } from "../../apps/server/src/main.ts";
import { ADMIN, freePort } from "./admin.ts";

/** `environment`: more settings of the operator. `webDist`: the built browser app, where it is not that of `npm start`. */
export async function serveHome(
  home: string,
  { environment, webDist }: { environment?: Record<string, string | undefined>; webDist?: string } = {},
): ReturnType<typeof startServer> {
  const config = readConfig({
    ACCORD_HOME: home,
    PORT: String(await freePort()),
    ACCORD_ADMIN_EMAIL: ADMIN.email,
    ACCORD_ADMIN_PASSWORD: ADMIN.password,
    ACCORD_LOG_LEVEL: "error",
    ...environment,
  });
  return startServer({ ...config, webDist: webDist ?? config.webDist });
}
