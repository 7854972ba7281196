/** All tests: `unit` (no I/O), `integration` (real PostgreSQL), `browser` (components in Chromium), `e2e` (journeys). */
import { existsSync } from "node:fs";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const SOURCES = "{packages,apps,scripts}";
const NEVER = ["**/node_modules/**", "**/dist/**"];
/** Chromium of the system: nothing is downloaded. */
const CHROMIUM = [
  process.env["ACCORD_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
const CHROMIUM_WORDS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Conditions of servers and screens are waited for; a busy machine may take its time. */
const patient = { poll: { timeout: 15_000 } };

const unit: TestProjectInlineConfiguration = {
  test: {
    name: "unit",
    include: [`${SOURCES}/**/*.test.ts`],
    exclude: [...NEVER, "**/*.int.test.ts", "**/*.browser.test.ts"],
    testTimeout: 20_000,
  },
};

const integration: TestProjectInlineConfiguration = {
  test: {
    name: "integration",
    include: [`${SOURCES}/**/*.int.test.ts`],
    exclude: NEVER,
    globalSetup: ["apps/server/test-kit/vitest-database.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: patient,
  },
};

const browser: TestProjectInlineConfiguration = {
  // Found while a test runs, they would reload its page.
  optimizeDeps: { include: ["zustand", "zustand/vanilla", "socket.io-client"] },
  test: {
    name: "browser",
    include: [`${SOURCES}/**/*.test.tsx`, `${SOURCES}/**/*.browser.test.ts`],
    exclude: NEVER,
    testTimeout: 20_000,
    expect: patient,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_WORDS } }),
      instances: [{ browser: "chromium" }],
    },
  },
};

const e2e: TestProjectInlineConfiguration = {
  test: {
    name: "e2e",
    include: ["e2e/**/*.e2e.test.ts"],
    exclude: NEVER,
    globalSetup: ["apps/server/test-kit/vitest-database.ts", "e2e/kit/web-build.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: patient,
  },
};

export default defineConfig({
  test: {
    projects: [unit, integration, browser, e2e],
    // Tests with a database wait more than they compute.
    maxWorkers: 3,
    passWithNoTests: true,
  },
});
