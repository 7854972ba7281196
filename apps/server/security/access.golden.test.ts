/** T2: the list of who may call what, as a file that is read in reviews. */
import { API_PREFIX } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { expect, test } from "vitest";
import { accessOf, mayCall, type CallerName } from "../test-kit/generated/may-call.ts";

test("[T2] the list of who may call what is the reviewed one", async () => {
  const short: Record<CallerName, string> = {
    SUPER_ADMIN: "super",
    ORG_ADMIN: "org",
    INSTANCE_ADMIN: "instance",
    SYNC_MANAGER: "sync",
    VIEWER: "viewer",
    DASHBOARD_LIGHT_VIEWER: "light",
    ANONYMOUS: "anonymous",
    PASSWORD_EXPIRED: "expired",
    SHARE_VIEWER: "share",
  };
  const order: CallerName[] = [
    "SUPER_ADMIN",
    "ORG_ADMIN",
    "INSTANCE_ADMIN",
    "SYNC_MANAGER",
    "VIEWER",
    "DASHBOARD_LIGHT_VIEWER",
    "PASSWORD_EXPIRED",
    "ANONYMOUS",
    "SHARE_VIEWER",
  ];
  const lines = ENDPOINTS.map((endpoint) => {
    const allowed = order.filter((caller) => mayCall(endpoint, caller)).map((caller) => short[caller]);
    return `${endpoint.method} ${API_PREFIX}${endpoint.path}  ${endpoint.name}  ${accessOf(endpoint).join(" and ")}: ${allowed.join(" ")}`;
  }).sort(
    (left, right) => (left.split(" ")[1] ?? "").localeCompare(right.split(" ")[1] ?? "") || left.localeCompare(right),
  );
  const text = `# Every endpoint and who may call it. Made by access.golden.test.ts; renew with npm run golden -- --update.\n${lines.join("\n")}\n`;
  await expect(text).toMatchFileSnapshot("../access.golden.txt");
});
