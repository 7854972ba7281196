/** Runs with each file of integration tests: closes the servers that it opened. */
import { afterAll } from "vitest";
import { openTestApps } from "./open-test-apps.ts";

afterAll(async () => {
  const opened = [...openTestApps];
  openTestApps.clear();
  for (const close of opened) await close();
});
