/** All tests: `unit` (no I/O), `integration` (real PostgreSQL), `browser` (components in Chromium), `e2e` (journeys). */
import { existsSync } from "node:fs";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { memoryFolder } from "./scripts/setup/memory-folder.ts";
import { ProgressReporter } from "./scripts/setup/progress-reporter.ts";
import { LongestFirst } from "./scripts/setup/test-order.ts";

// For this process and its workers: whoever sets TMPDIR decides where files of tests are.
if (process.env["TMPDIR"] === undefined) {
  const folder = memoryFolder();
  if (folder !== undefined) process.env["TMPDIR"] = folder;
}

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

/** Files of a worker share their modules: loading them anew for each file took longer than many of its tests. */
const SHARED = { isolate: false };
/** One after the other: what only computes, what waits for databases and servers, and what a browser shows of them. */
const COMPUTES = { ...SHARED, maxWorkers: 3, sequence: { groupOrder: 0 } };
const WAITS = { ...SHARED, maxWorkers: 3, sequence: { groupOrder: 1 } };
const BROWSES = { ...SHARED, maxWorkers: 2, sequence: { groupOrder: 2 } };

/** Conditions of servers and screens are waited for; a busy machine may take its time. */
const patient = { poll: { timeout: 30_000 } };
/** As long as an e2e test waits for anything on a page. */
const morePatient = { poll: { timeout: 60_000 } };

const unit: TestProjectInlineConfiguration = {
  test: {
    name: "unit",
    ...COMPUTES,
    include: [`${SOURCES}/**/*.test.ts`],
    exclude: [...NEVER, "**/*.int.test.ts", "**/*.browser.test.ts"],
    testTimeout: 60_000,
  },
};

const integration: TestProjectInlineConfiguration = {
  test: {
    name: "integration",
    ...WAITS,
    include: [`${SOURCES}/**/*.int.test.ts`],
    exclude: NEVER,
    globalSetup: ["apps/server/test-kit/database/vitest-database.ts"],
    setupFiles: ["apps/server/test-kit/close-test-apps.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: patient,
  },
};

const browser: TestProjectInlineConfiguration = {
  // Found while a test runs, they would reload its page.
  optimizeDeps: {
    include: [
      ...["zustand", "zustand/vanilla", "socket.io-client", "react-grid-layout", "@mantine/spotlight"],
      ...["autocomplete", "commands", "lang-sql", "language", "lint", "state", "view"].map(
        (part) => `@codemirror/${part}`,
      ),
      "@lezer/highlight",
    ],
  },
  test: {
    name: "browser",
    ...COMPUTES,
    include: [`${SOURCES}/**/*.test.tsx`, `${SOURCES}/**/*.browser.test.ts`],
    exclude: NEVER,
    // A screen is drawn anew for each key: long texts and several screens take their time beside other tests.
    testTimeout: 60_000,
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
    ...BROWSES,
    include: ["e2e/**/*.e2e.test.ts"],
    exclude: NEVER,
    globalSetup: ["apps/server/test-kit/database/vitest-database.ts", "e2e/kit/web-build.ts"],
    setupFiles: ["e2e/kit/failed-page.ts", "apps/server/test-kit/close-test-apps.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: morePatient,
  },
};

/** Where `npm test` reads what passed. */
const RESULTS = process.env["ACCORD_TEST_RESULTS"];

export default defineConfig({
  test: {
    reporters: [
      "minimal",
      new ProgressReporter(),
      ...(RESULTS === undefined ? [] : [["json", { outputFile: RESULTS }] satisfies [string, object]]),
    ],
    projects: [unit, integration, browser, e2e],
    sequence: { sequencer: LongestFirst },
    passWithNoTests: true,
  },
});
