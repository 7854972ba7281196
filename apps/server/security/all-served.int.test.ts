/** Every endpoint of the contracts is answered by a module: nothing is promised that is not there. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { expect, test } from "vitest";
import { testApp } from "../test-kit/index.ts";

test("every endpoint in the registry is served", async () => {
  const t = await testApp();
  const served = new Set(t.app.modules.flatMap((module) => module.routes ?? []).map((route) => route.endpoint));
  expect(ENDPOINTS.filter((endpoint) => !served.has(endpoint)).map((endpoint) => endpoint.name)).toEqual([]);
});
