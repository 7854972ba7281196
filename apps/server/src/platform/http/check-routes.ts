/** What must hold for the routes before the server starts. A product that can't tell who may call what stays off. */
import { isPermission, type AnyEndpoint } from "@accord/contracts";
import type { Route } from "../module.ts";

const OTHER_ACCESS: ReadonlySet<string> = new Set(["public", "signedIn", "passwordExpired", "shareViewer"]);

/** @throws Error naming every fault: no access, a name or path twice, or an endpoint missing in the registry. */
export function checkRoutes(routes: readonly Route[], endpoints: readonly AnyEndpoint[]): void {
  const known = new Set(endpoints);
  const names = new Map<string, AnyEndpoint>();
  const paths = new Map<string, AnyEndpoint>();
  const faults: string[] = [];
  for (const { endpoint } of routes) {
    const path = `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ":")}`;
    if (!isPermission(endpoint.access) && !OTHER_ACCESS.has(endpoint.access))
      faults.push(`${endpoint.name}: access says nobody who may call it`);
    if (endpoint.alsoNeeds && !isPermission(endpoint.access))
      faults.push(`${endpoint.name}: alsoNeeds is for endpoints whose access is a permission`);
    if (!known.has(endpoint)) faults.push(`${endpoint.name}: missing in packages/contracts/src/endpoints.ts`);
    if (names.has(endpoint.name)) faults.push(`${endpoint.name}: another route has this name`);
    if (paths.has(path)) faults.push(`${endpoint.name}: ${path} is also ${paths.get(path)?.name}`);
    names.set(endpoint.name, endpoint);
    paths.set(path, endpoint);
  }
  if (faults.length > 0) throw new Error(`The routes are not fit to serve:\n  ${faults.join("\n  ")}`);
}
