/** Each import rule catches the fault it is for, planted in a small tree that is otherwise clean. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeEach, expect, test } from "vitest";
import configuration from "../../.dependency-cruiser.mjs";

const tree = mkdtempSync(join(tmpdir(), "accord-imports-"));
const WORKSPACES = [
  "packages/contracts",
  "packages/expressions",
  "packages/sync-engine",
  "packages/sync-simulation",
  "packages/analytics-engine",
  "packages/connector-sdk",
  "packages/connectors",
  "packages/cards",
  "packages/ui",
  "apps/server",
  "apps/web",
];

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
};

beforeEach(() => {
  rmSync(tree, { recursive: true, force: true });
  for (const workspace of WORKSPACES) {
    const name = `@accord/${workspace.split("/")[1]}`;
    write(`${workspace}/package.json`, JSON.stringify({ name, type: "module", exports: { ".": "./src/index.ts" } }));
    write(`${workspace}/src/index.ts`, "export const here = 1;\n");
    mkdirSync(join(tree, "node_modules/@accord"), { recursive: true });
    symlinkSync(join(tree, workspace), join(tree, "node_modules", name));
  }
  for (const name of ["kysely", "pg", "react"]) {
    write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: "1.0.0", exports: { ".": "./index.js" } }),
    );
    write(`node_modules/${name}/index.js`, "export const x = 1;\n");
  }
  write("apps/server/src/modules/data/schema/index.ts", 'export { schemaService } from "./schema.service.ts";\n');
  write("apps/server/src/modules/data/schema/schema.service.ts", "export const schemaService = 1;\n");
  write(
    "apps/server/src/modules/data/records/index.ts",
    'import { schemaService } from "../schema/index.ts";\nschemaService;\n',
  );
  write("apps/server/src/modules/data/records/records.store.ts", 'import { x } from "kysely";\nx;\n');
  write("apps/server/src/modules/data/records/types.ts", 'import type { X } from "kysely";\nexport type Y = X;\n');
  write("apps/web/src/studios/sync/a.ts", "export const a = 1;\n");
  write("apps/web/src/studios/insights/dashboards/d.ts", 'import { e } from "../cards/e.ts";\nexport const d = e;\n');
  write("apps/web/src/studios/insights/cards/e.ts", "export const e = 1;\n");
  write("apps/web/src/studios/insights/routes.ts", 'import { d } from "./dashboards/d.ts";\nd;\n');
  write("apps/web/src/frame/b.ts", "export const b = 1;\n");
  write("apps/web/src/shared/c.ts", "export const c = 1;\n");
  write("apps/web/src/router.tsx", "export const router = 1;\n");
  write("packages/sync-engine/src/uses.ts", 'import { here } from "@accord/contracts";\nhere;\n');
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** Names of the rules that the tree breaks. */
async function brokenRules(): Promise<string[]> {
  const { options = {}, ...ruleSet } = configuration as IConfiguration;
  const { output } = await cruise(
    ["packages", "apps"],
    { ...options, ruleSet, validate: true, baseDir: tree },
    options.enhancedResolveOptions,
  );
  const { summary } = output as ICruiseResult;
  return [...new Set(summary.violations.map((violation) => violation.rule.name))].toSorted();
}

test("a tree that keeps the rules has no fault", async () => {
  expect(await brokenRules()).toEqual([]);
});

const from = (name: string): string => `import * as it from "${name}";\nit;\n`;

test.each([
  ["direction-packages-contracts", "packages/contracts/src/x.ts", from("@accord/expressions")],
  ["direction-packages-expressions", "packages/expressions/src/x.ts", from("@accord/sync-engine")],
  ["direction-packages-sync-engine", "packages/sync-engine/src/x.ts", from("@accord/connectors")],
  ["direction-packages-sync-simulation", "packages/sync-simulation/src/x.ts", from("@accord/connectors")],
  ["direction-packages-analytics-engine", "packages/analytics-engine/src/x.ts", from("@accord/cards")],
  ["direction-packages-connector-sdk", "packages/connector-sdk/src/x.ts", from("@accord/sync-engine")],
  ["direction-packages-connectors", "packages/connectors/src/x.ts", from("@accord/expressions")],
  ["direction-packages-cards", "packages/cards/src/x.ts", from("@accord/analytics-engine")],
  ["direction-packages-ui", "packages/ui/src/x.ts", from("@accord/contracts")],
  ["direction-apps-web", "apps/web/src/x.ts", from("@accord/connectors")],
  ["direction-apps-server", "apps/server/src/x.ts", from("@accord/web")],
  ["resolvable", "apps/web/src/x.ts", from("./nowhere.ts")],
  ["pure-packages", "packages/sync-engine/src/x.ts", from("node:fs")],
  ["module-by-index", "apps/server/src/modules/data/records/x.ts", from("../schema/schema.service.ts")],
  ["platform-below-modules", "apps/server/src/platform/x.ts", from("../modules/data/schema/index.ts")],
  ["studios-apart", "apps/web/src/studios/insights/x.ts", from("../sync/a.ts")],
  ["insights-order", "apps/web/src/studios/insights/cards/x.ts", from("../dashboards/d.ts")],
  ["insights-order", "apps/web/src/studios/insights/cards/x.ts", from("../routes.ts")],
  ["insights-listed", "apps/web/src/studios/insights/charts/x.ts", from("../dashboards/d.ts")],
  ["shared-below-studios", "apps/web/src/shared/x.ts", from("../studios/sync/a.ts")],
  ["shared-below-studios", "apps/web/src/shared/x.ts", from("../frame/b.ts")],
  ["app-below-all", "apps/web/src/app/x.ts", from("../shared/c.ts")],
  ["frame-below-studios", "apps/web/src/frame/x.ts", from("../studios/sync/a.ts")],
  ["router-on-top", "apps/web/src/studios/sync/x.ts", from("../../router.tsx")],
  ["database-in-stores", "apps/server/src/modules/data/schema/schema.routes.ts", from("pg")],
  ["no-react-in-server", "apps/server/src/x.ts", from("react")],
  ["no-test-code-in-product", "apps/server/src/x.ts", from("./y.test.ts")],
])("%s", async (rule, file, text) => {
  write("apps/server/src/y.test.ts", "export const y = 1;\n");
  write(file, text);
  expect(await brokenRules()).toEqual([rule]);
});

test("no-cycles", async () => {
  write("apps/web/src/one.ts", from("./two.ts"));
  write("apps/web/src/two.ts", from("./one.ts"));
  expect(await brokenRules()).toEqual(["no-cycles"]);
});

test("no-cycles, of types alone too", async () => {
  write("apps/web/src/one.ts", 'import type { Two } from "./two.ts";\nexport type One = Two | null;\n');
  write("apps/web/src/two.ts", 'import type { One } from "./one.ts";\nexport type Two = { one: One };\n');
  expect(await brokenRules()).toEqual(["no-cycles"]);
});
