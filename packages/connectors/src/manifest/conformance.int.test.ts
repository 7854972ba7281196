/** The promise of connectors, kept by a manifest: the conformance kit against a real HTTP server. */
import { testConnector, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { SECRET, startManifestApi } from "../../test-systems/manifest-api.ts";
import { CURSOR } from "../../test-systems/manifests.ts";
import { closedPort } from "../../test-systems/tcp-faults.ts";
import { manifestConnector } from "./index.ts";

/** The manifest's stream, all of its records kept, and one that is always empty. */
const MANIFEST = CURSOR.replace(/\n +record_filter:.*/, "").replace(
  "\nspec:",
  `
  - type: DeclarativeStream
    name: nothing
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: "{{ config['url'] }}", path: nothing }
      record_selector: { extractor: { field_path: [data] } }
    schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: integer } } } }
spec:`,
);

testConnector({
  definition: manifestConnector,
  async start(): Promise<SystemUnderTest> {
    const api = await startManifestApi(30);
    const configFor = (url: string): Values => ({ manifest: MANIFEST, inputs: JSON.stringify({ url }) });
    return {
      config: configFor(api.url),
      credentials: { secrets: JSON.stringify({ token: SECRET }) },
      entity: "items",
      seeded: 30,
      emptyEntity: "nothing",
      expected: { idField: "id", types: { id: "integer", name: "string", updated_at: "datetime" } },
      outside: {
        create: async () => String(api.add({ updated_at: new Date().toISOString().replace(/\.\d+/, "") }).id),
        update: async (id) => api.touch(Number(id)),
        remove: async (id) => void (api.items = api.items.filter((item) => item.id !== Number(id))),
      },
      faults: {
        wrongCredentials: { secrets: JSON.stringify({ token: "guess-word-1" }) },
        unreachable: configFor(`http://127.0.0.1:${await closedPort()}`),
        untrustedCertificate: configFor(api.secureUrl),
        rateLimitNext: async (waitMs) =>
          void api.faults.push({ status: 429, headers: { "retry-after": String(waitMs / 1000) } }),
        failNext: async () => void api.faults.push({ status: 503 }),
      },
      async stop() {
        await api.stop();
      },
    };
  },
});
