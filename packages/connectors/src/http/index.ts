/** JSON over HTTP, described instead of programmed: sign-in, paging, record paths, and how to create, change and delete. */
import { ConnectorError, defineConnector, type Capability, type Connection } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import { openHttpClient, type HttpClient } from "./client.ts";
import { HTTP_AUTH_METHODS, HTTP_CONFIG_FIELDS, HttpConfig } from "./config.ts";
import { pageRequest, START } from "./lists/paging.ts";
import { listIn } from "./lists/fetch-page.ts";
import { saysNoSuchRecord } from "./named-errors.ts";
import { writeMode } from "./precondition.ts";
import { readList } from "./lists/read.ts";
import { mapRecords, schemaOf } from "./records.ts";
import { readSingle } from "./single-read.ts";
import { writeRecords } from "./write.ts";

export { previewEntity, type EntityPreview } from "./lists/preview.ts";

export const httpConnector = defineConnector({
  type: "http",
  displayName: "JSON API",
  category: "api",
  description: "Any system with a JSON API: describe its endpoints, try them, and map their records.",
  icon: "api",
  backgroundColor: "teal",
  config: HttpConfig,
  configFields: HTTP_CONFIG_FIELDS,
  authMethods: HTTP_AUTH_METHODS,
  capabilities: [
    "read",
    "readChanges",
    "readByWatermark",
    "readDeletes",
    "listIds",
    "getById",
    "lookup",
    "create",
    "update",
    "delete",
    "idempotentCreate",
    "conditionalWrite",
    "checkedWrite",
    "userEditableId",
    "userEditableWatermark",
  ],
  capabilitiesOf: (config, schema) => {
    const entity = config.entities.find((candidate) => candidate.apiName === schema.apiName);
    return entity ? capabilitiesOf(entity) : [];
  },
  readPageSize: 1000,
  writeBatchSize: 50,
  readDelaySeconds: 0,
  hosts: (config) =>
    [config.baseUrl, config.tokenUrl].flatMap((address) => {
      if (!address) return [];
      const { protocol, hostname, port } = new URL(address);
      return [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
    }),
  destinations: (config) =>
    [config.baseUrl, config.tokenUrl].flatMap((address) => (address ? [new URL(address).origin] : [])),

  connect(context, config): Connection {
    const client = openHttpClient(context, config);
    const now = context.now;
    const equalReadBacks = new Map<string, number>();
    const configured = (apiName: string): HttpEntityConfig => {
      const entity = config.entities.find((candidate) => candidate.apiName === apiName);
      if (entity) return entity;
      throw new ConnectorError("schemaChanged", `There is no entity ${apiName} any more.`, {
        hint: "Add it again in the connector's settings, or take it out of the pipeline.",
      });
    };
    return {
      check: () => check(client, config),
      async *discover({ only }) {
        const entities = config.entities.filter(({ apiName }) => !only || only.includes(apiName));
        for (const [at, entity] of entities.entries())
          yield { entity: schemaOf(entity), done: at + 1, total: entities.length };
      },
      read: (request) => readList({ entity: configured(request.entity.apiName), client, now }, request),
      async listIds({ entity, cursor, signal, pageSize, fields }) {
        const reader = { entity: configured(entity.apiName), client, now, mustBeWhole: true };
        const shown = [...(fields ?? [])];
        const page = await readList(reader, { entity, fields: shown, cursor, mode: "all", pageSize, signal });
        const { records, drained } = page;
        return { ids: records.map(({ id }) => id), ...(fields && { records }), cursor: page.cursor, drained };
      },
      async getByIds({ entity, fields, ids }) {
        const spec = configured(entity.apiName);
        const map = mapRecords(spec, entity, fields);
        const reads = await inLanes(ids, config.parallelWrites, (id) => readSingle(client, spec, map, id));
        return reads.flatMap((read) => read?.record ?? []);
      },
      async lookup({ entity, fields, field, values }) {
        const spec = configured(entity.apiName);
        if (!spec.lookup || spec.lookup.field !== field)
          throw new ConnectorError("invalidRequest", `${entity.displayName} can't be searched by ${field}.`);
        const { lookup } = spec;
        const map = mapRecords(spec, entity, fields);
        const pages = await inLanes(values, config.parallelWrites, async (value) => {
          const { json, answer } = await client.callJson(lookup, { facts: { value } });
          const list = listIn({ entity: spec, client }, answer, json, lookup.recordSelector, (error) =>
            saysNoSuchRecord(error, spec),
          );
          // A search may look at other fields too, or take a value that it does not understand for no condition at all.
          return map.read(list).records.filter((record) => isFoundBy(record.values[field], value));
        });
        return pages.flat();
      },
      write: (request) =>
        writeRecords(client, configured(request.entity.apiName), request, {
          parallel: config.parallelWrites,
          equalReadBacks,
        }),
      close: async () => {},
    };
  },
});

/** Whether this is the value that was searched for, in upper or lower case. */
const isFoundBy = (shown: Value | undefined, value: Value): boolean =>
  shown !== null && shown !== undefined && String(shown).toLowerCase() === String(value).toLowerCase();

function capabilitiesOf(entity: HttpEntityConfig): Capability[] {
  const mode = writeMode(entity);
  const isChanged = entity.update || entity.delete;
  const has: [Capability, unknown][] = [
    ["read", true],
    ["readChanges", entity.list.watermark],
    ["readByWatermark", entity.list.watermark],
    ["readDeletes", entity.deletedField],
    ["listIds", entity.missingMeansDeleted],
    ["getById", entity.getById],
    ["lookup", entity.lookup],
    ["create", entity.create],
    ["update", entity.update],
    ["delete", entity.delete],
    ["idempotentCreate", entity.create?.idempotencyHeader],
    ["conditionalWrite", isChanged && mode === "conditional"],
    ["checkedWrite", isChanged && mode === "checked"],
    ["userEditableId", true],
    ["userEditableWatermark", true],
  ];
  return has.flatMap(([capability, given]) => (given ? [capability] : []));
}

async function check(client: HttpClient, config: HttpConfig): Promise<void> {
  const [entity] = config.entities;
  if (!config.checkPath && entity) {
    await client.callJson(entity.list, pageRequest(entity.list.paging, START));
    return;
  }
  const spec = { method: "GET", path: config.checkPath || "/", headers: [], body: "" };
  const answer = await client.call(spec);
  // The bare base address often answers "not found": reaching it with accepted credentials is what counts.
  if (!answer.ok && (config.checkPath || answer.status !== 404)) throw client.refusal(answer);
}

/** Runs calls side by side, at most `lanes` at a time; answers in order. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}
