/** Who may import whom. Each rule's comment says what to do instead; scripts/check/dependency-rules.test.ts breaks each one. */

const PURE = "packages/(contracts|expressions|sync-engine|sync-simulation|analytics-engine)/src";
const TESTS = "\\.(int\\.|e2e\\.|browser\\.)?test\\.tsx?$|/test-kit/|/test-systems/|/(fixtures|golden|bench)/";

/** What each workspace may import of ours; the table of ARCHITECTURE.md. */
const MAY_IMPORT = {
  "packages/contracts": [],
  "packages/expressions": ["contracts"],
  "packages/sync-engine": ["contracts", "expressions", "connector-sdk"],
  "packages/sync-simulation": ["contracts", "expressions", "connector-sdk", "sync-engine"],
  "packages/analytics-engine": ["contracts", "expressions"],
  "packages/connector-sdk": ["contracts"],
  "packages/connectors": ["connector-sdk", "contracts"],
  "packages/cards": ["contracts", "ui"],
  "packages/ui": [],
  "apps/web": ["contracts", "expressions", "sync-engine", "analytics-engine", "cards", "ui"],
  "apps/server": [
    "contracts",
    "expressions",
    "sync-engine",
    "analytics-engine",
    "connector-sdk",
    "connectors",
    "cards",
  ],
};

const directions = Object.entries(MAY_IMPORT).map(([workspace, allowed]) => ({
  name: `direction-${workspace.replace("/", "-")}`,
  comment: `${workspace} imports only ${allowed.join(", ") || "no other workspace"}. Move the shared part down, or pass it in.`,
  severity: "error",
  from: { path: `^${workspace}/`, pathNot: TESTS },
  to: {
    path: "^(packages|apps)/",
    pathNot: `^(${[workspace, ...allowed.map((name) => `packages/${name}`)].join("|")})/`,
  },
}));

const INSIGHTS = "apps/web/src/studios/insights";

/** Features of Insights Studio: each imports only those before it. What several of them need is in `parts`. */
const INSIGHTS_FEATURES = [
  "parts",
  "cross-filter",
  "cards",
  "card-alerts",
  "external-view",
  "printing",
  "mirror",
  "sharing",
  "dataset-editor",
  "sql-editor",
  "dataset-exports",
  "dataset-screen",
  "dashboards",
  "card-wizard",
  "assistant",
  "definitions",
  "shared-view",
];

const insightsOrder = INSIGHTS_FEATURES.map((feature, at) => ({
  name: "insights-order",
  comment:
    "Features of Insights import those before them in INSIGHTS_FEATURES. Move the shared part to insights/parts.",
  severity: "error",
  from: { path: `^${INSIGHTS}/${feature}/`, pathNot: TESTS },
  to: { path: `^${INSIGHTS}/`, pathNot: `^${INSIGHTS}/(${INSIGHTS_FEATURES.slice(0, at + 1).join("|")})/` },
}));

export default {
  forbidden: [
    ...directions,
    ...insightsOrder,
    {
      name: "insights-listed",
      comment: "Say in INSIGHTS_FEATURES which features of Insights this one may import.",
      severity: "error",
      from: { path: `^${INSIGHTS}/([^/]+)/`, pathNot: [TESTS, `^${INSIGHTS}/(${INSIGHTS_FEATURES.join("|")})/`] },
      to: { path: `^${INSIGHTS}/`, pathNot: `^${INSIGHTS}/$1/` },
    },
    {
      name: "no-cycles",
      comment:
        "Files that import each other can't be understood alone. Move what both need into a third. Lazy screens may.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } },
    },
    {
      name: "resolvable",
      comment: "This import leads nowhere. Mend the path, or add the package to the workspace's package.json.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(virtual:|vite/|vitest/)|\\.css|\\?" },
    },
    {
      name: "pure-packages",
      comment: "Cores decide, shells do: no Node modules here. Take what you need as a value or a port.",
      severity: "error",
      from: { path: `^${PURE}`, pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "module-by-index",
      comment: "Another module is used only through its index.ts. Export what you need there.",
      severity: "error",
      from: { path: "^apps/server/src/modules/([^/]+/[^/]+)/", pathNot: TESTS },
      to: { path: "^apps/server/src/modules/[^/]+/[^/]+/", pathNot: ["^apps/server/src/modules/$1/", "/index\\.ts$"] },
    },
    {
      name: "platform-below-modules",
      comment: "platform/ knows nothing of the product. Let the module pass it in.",
      severity: "error",
      from: { path: "^apps/server/src/platform/", pathNot: TESTS },
      to: { path: "^apps/server/src/modules/" },
    },
    {
      name: "studios-apart",
      comment: "Studios don't import each other. Move the shared part to apps/web/src/shared.",
      severity: "error",
      from: { path: "^apps/web/src/studios/([^/]+)/" },
      to: { path: "^apps/web/src/studios/", pathNot: "^apps/web/src/studios/$1/" },
    },
    {
      name: "shared-below-studios",
      comment: "shared/ is for all studios, and the frame shows it. Let the studio or the frame pass it in.",
      severity: "error",
      from: { path: "^apps/web/src/shared/", pathNot: TESTS },
      to: { path: "^apps/web/src/(frame|studios)/" },
    },
    {
      name: "app-below-all",
      comment: "app/ (words, calls, session) is what every part of the page stands on. Let the others pass it in.",
      severity: "error",
      from: { path: "^apps/web/src/app/", pathNot: TESTS },
      to: { path: "^apps/web/src/(shared|frame|studios)/" },
    },
    {
      name: "frame-below-studios",
      comment: "frame/ stands around every screen and knows none. Register it in app/ (words, palette), or pass it in.",
      severity: "error",
      from: { path: "^apps/web/src/frame/", pathNot: TESTS },
      to: { path: "^apps/web/src/studios/" },
    },
    {
      name: "router-on-top",
      comment:
        "Only main.tsx knows the router with all screens. Take a route from frame/root-routes.tsx, or its address.",
      severity: "error",
      from: { path: "^apps/web/src/(app|shared|frame|studios)/", pathNot: TESTS },
      to: { path: "^apps/web/src/(main|router)\\.tsx$" },
    },
    {
      name: "database-in-stores",
      comment: "SQL lives in x.store.ts and platform/db. Types of kysely may be named elsewhere, not its functions.",
      severity: "error",
      from: {
        path: "^(apps|packages)/",
        pathNot: [
          TESTS,
          "\\.store\\.ts$",
          "^apps/server/src/platform/(db|postgres)/",
          "^packages/connectors/src/postgres/",
          "^apps/server/(seeds/|src/demo/)",
        ],
      },
      to: { path: "node_modules/(kysely|pg|pg-copy-streams)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-react-in-server",
      comment: "The server draws nothing. Card definitions come from @accord/cards/definitions.",
      severity: "error",
      from: { path: "^apps/server/" },
      to: { path: "node_modules/(react|react-dom|@mantine)/|^packages/(ui/|cards/src/views)" },
    },
    {
      name: "no-test-code-in-product",
      comment: "Product code must not lean on tests. Move what both need into the product.",
      severity: "error",
      from: { path: "^(apps|packages)/[^/]+/src/", pathNot: TESTS },
      to: { path: "\\.test\\.tsx?$|^apps/server/test-kit/" },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|\\.unfinished/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
