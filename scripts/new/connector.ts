/** `npm run new -- connector <name>`: a connector, with the conformance kit waiting for its system. */
import type { Names, Scaffold } from "./scaffold.ts";

export function connectorScaffold({ kebab, camel, pascal, title }: Names): Scaffold {
  const folder = `packages/connectors/src/${kebab}`;
  return {
    files: {
      [`${folder}/config.ts`]: `/** What a connection to ${title} needs. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";

export const ${pascal}Config = z.object({ host: z.string().trim().min(1, "Name the host.") });
export type ${pascal}Config = z.output<typeof ${pascal}Config>;

export const ${camel}ConfigFields: InputDefinition[] = [
  { name: "host", label: "Host", datatype: "string", required: true, helpText: "For example api.example.com" },
];
`,
      [`${folder}/index.ts`]: `/** ${title}: say here in one sentence what it reads and writes. */
import { ConnectorError, defineConnector } from "@accord/connector-sdk";
import { ${camel}ConfigFields, ${pascal}Config } from "./config.ts";

export const ${camel}Connector = defineConnector({
  type: "${kebab}",
  displayName: "${title}",
  category: "api",
  description: "Says in one sentence what people get from it.",
  icon: "http",
  backgroundColor: "teal",
  config: ${pascal}Config,
  configFields: ${camel}ConfigFields,
  authMethods: [{ type: "none", label: "None", fields: [] }],
  capabilities: ["read"],
  readPageSize: 1000,
  writeBatchSize: 100,
  readDelaySeconds: 0,
  hosts: ({ host }) => [\`\${host}:443\`],
  destinations: ({ host }) => [\`https://\${host}\`],

  connect(context, { host }) {
    const notYet = () => new ConnectorError("configuration", \`Reading from \${host} is not written yet.\`);
    return {
      async check() {
        context.log("info", "checking", { host });
        throw notYet();
      },
      // oxlint-disable-next-line require-yield -- nothing to yield until discovery is written
      async *discover() {
        throw notYet();
      },
      async read() {
        throw notYet();
      },
      close: async () => {},
    };
  },
});
`,
      [`${folder}/${kebab}.int.test.ts`]: `/** The ${title} connector against a running system: the conformance kit, then what is special about it. */
import { testConnector } from "@accord/connector-sdk/test-kit";
import { ${camel}Connector } from "./index.ts";

testConnector({
  definition: ${camel}Connector,
  start: async () => {
    throw new Error("Start a real system, or a faithful small one, in packages/connectors/test-systems.");
  },
});
`,
    },
    lines: [
      {
        file: "packages/connectors/src/index.ts",
        after: /^import \{ postgresConnector \}/,
        line: `import { ${camel}Connector } from "./${kebab}/index.ts";`,
      },
      {
        file: "packages/connectors/src/index.ts",
        after: /^export \{ postgresConnector \}/,
        line: `export { ${camel}Connector } from "./${kebab}/index.ts";`,
      },
    ],
    edits: [
      {
        file: "packages/connectors/src/index.ts",
        find: /^ {2}\.{3}SYSTEMS,$/m,
        by: `  ${camel}Connector,\n  ...SYSTEMS,`,
      },
    ],
    next: [
      "Describe its inputs, what it can do and its entities; move its line in CONNECTORS to its place in the library.",
      "Write a small real system in packages/connectors/test-systems; look at json-api.ts.",
      `npm test -- packages/connectors/src/${kebab} says what the promise still lacks.`,
    ],
  };
}
