/** A connection to a JSON API whose entities are described: by its settings, or by code that knows the system. */
import { ConnectorError, type Capability, type ConnectContext, type Connection } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { openHttpClient, type HttpClient } from "./client.ts";
import type { HttpConfig } from "./config.ts";
import { listIn } from "./lists/fetch-page.ts";
import { pageRequest, START } from "./lists/paging.ts";
import { readList } from "./lists/read.ts";
import type { Restarts } from "./lists/restarts.ts";
import { saysNoSuchRecord } from "./named-errors.ts";
import { isCoarse, writeMode, type WriteMode } from "./precondition.ts";
import { mapRecords, schemaOf } from "./records.ts";
import { readSingle } from "./single-read.ts";
import { writeRecords } from "./write.ts";

/** Where the descriptions of entities come from. */
export interface DescribedEntities {
  /** The description behind an entity that was found. @throws ConnectorError when there is none any more. */
  described(entity: EntitySchema): HttpEntityConfig;
  /** All that there are now. */
  all(client: HttpClient): Promise<readonly HttpEntityConfig[]>;
}

export function connectApi(context: ConnectContext, config: HttpConfig, entities: DescribedEntities): Connection {
  const client = openHttpClient(context, config);
  const now = context.now;
  const restarts: Restarts = new Map();
  const equalReadBacks = new Map<string, number>();
  const { described } = entities;
  return {
    check: async () => check(client, config, entities),
    async *discover({ only }) {
      const found = (await entities.all(client)).filter(({ apiName }) => !only || only.includes(apiName));
      for (const [at, entity] of found.entries()) yield { entity: schemaOf(entity), done: at + 1, total: found.length };
    },
    read: (request) => readList({ entity: described(request.entity), client, now, restarts }, request),
    async listIds({ entity, cursor, signal, pageSize, fields }) {
      const reader = { entity: described(entity), client, now, restarts, mustBeWhole: true };
      const shown = [...(fields ?? [])];
      const page = await readList(reader, { entity, fields: shown, cursor, mode: "all", pageSize, signal });
      const { records, drained } = page;
      return { ids: records.map(({ id }) => id), ...(fields && { records }), cursor: page.cursor, drained };
    },
    async getByIds({ entity, fields, ids }) {
      const spec = described(entity);
      const map = mapRecords(spec, entity, fields);
      const reads = await inLanes(ids, config.parallelWrites, (id) => readSingle(client, spec, map, id));
      return reads.flatMap((read) => read?.record ?? []);
    },
    async lookup({ entity, fields, field, values }) {
      const spec = described(entity);
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
      writeRecords(client, described(request.entity), request, { parallel: config.parallelWrites, equalReadBacks }),
    close: async () => {},
  };
}

/** Whether this is the value that was searched for, in upper or lower case. */
const isFoundBy = (shown: Value | undefined, value: Value): boolean =>
  shown !== null && shown !== undefined && String(shown).toLowerCase() === String(value).toLowerCase();

const isChanged = ({ update, delete: deletion }: HttpEntityConfig): unknown => update || deletion;

/** A version that does not tell all changes apart, or is not compared by every write, is no more than a comparison right before. */
function promiseOf(entity: HttpEntityConfig): WriteMode {
  const mode = writeMode(entity);
  const isUncompared = isCoarse(entity) || (entity.delete && entity.concurrency?.ignoredByDelete);
  return mode === "conditional" && isUncompared ? "checked" : mode;
}

/** What each capability needs of a description. */
const NEEDS: readonly [Capability, (entity: HttpEntityConfig) => unknown][] = [
  ["read", () => true],
  ["readChanges", ({ list }) => list.watermark],
  ["readByWatermark", ({ list }) => list.watermark],
  // Where a list leaves them out, only what is missing from it has been deleted.
  ["readDeletes", ({ deletedField, missingMeansDeleted }) => deletedField && !missingMeansDeleted],
  ["listIds", ({ missingMeansDeleted }) => missingMeansDeleted],
  ["getById", ({ getById }) => getById],
  ["lookup", ({ lookup }) => lookup],
  ["create", ({ create }) => create],
  ["update", ({ update }) => update],
  ["delete", (entity) => entity.delete],
  ["idempotentCreate", ({ create }) => create?.idempotencyHeader],
  ["conditionalWrite", (entity) => isChanged(entity) && promiseOf(entity) === "conditional"],
  ["checkedWrite", (entity) => isChanged(entity) && promiseOf(entity) === "checked"],
  ["userEditableId", () => true],
  ["userEditableWatermark", () => true],
];

/** All that a description can allow. */
export const API_CAPABILITIES: Capability[] = NEEDS.map(([capability]) => capability);

/** What a description allows. */
export const capabilitiesOf = (entity: HttpEntityConfig): Capability[] =>
  NEEDS.flatMap(([capability, isGiven]) => (isGiven(entity) ? [capability] : []));

async function check(client: HttpClient, config: HttpConfig, entities: DescribedEntities): Promise<void> {
  const [entity] = config.checkPath ? [] : await entities.all(client);
  if (entity) {
    await client.callJson(entity.list, pageRequest(entity.list, START));
    return;
  }
  const spec = { method: config.checkMethod, path: config.checkPath || "/", headers: [], body: config.checkBody };
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
