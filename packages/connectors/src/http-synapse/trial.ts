/** Tries calls of an API that is being described, and shows each request and answer; the runtime is the connector's own. */
import {
  ConnectorError,
  jsonOf,
  type Connection,
  type ConnectContext,
  type WriteOperation,
} from "@accord/connector-sdk";
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type {
  SynapseReadTest,
  SynapseTestResult,
  SynapseWriteTest,
} from "@accord/contracts/connections/http-synapse-tests";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { HttpConfig } from "../http/config.ts";
import { connectApi } from "../http/connect.ts";
import { previewEntity } from "../http/lists/preview.ts";
import { schemaOf } from "../http/records.ts";
import { proposePaging } from "./propose-paging.ts";
import { recordExchanges, type ExchangeRecorder, type Masking } from "./record-exchanges.ts";

const SAMPLE = 10;
/** Records of a page that is tried, where its size is not fixed by the description. */
const PAGE = 100;

type Test = SynapseReadTest | SynapseWriteTest;

/** Secrets stand in what it answers, save in bodies: its caller masks them. */
export async function trySynapseCall(
  context: ConnectContext,
  config: HttpConfig,
  call: Test,
  masking: Masking,
): Promise<SynapseTestResult> {
  const recorder = recordExchanges(context, masking);
  const result: SynapseTestResult = {
    ok: false,
    problem: null,
    exchanges: [],
    exchangeCount: 0,
    recordSelectors: [],
    pages: [],
    repeated: 0,
    fields: [],
    sample: [],
    paging: [],
    outcome: null,
  };
  try {
    Object.assign(result, await perform(recorder, config, call));
    result.ok = result.problem === null;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const { kind, message, hint } = error;
    result.problem = { kind, message, ...(hint !== undefined && { hint }) };
  }
  return Object.assign(result, recorder.recorded());
}

async function perform(
  recorder: ExchangeRecorder,
  config: HttpConfig,
  call: Test,
): Promise<Partial<SynapseTestResult>> {
  const { context } = recorder;
  if (call.kind === "check") {
    await connect(context, { ...config, checkPath: config.checkPath || "/" }, []).check();
    return {};
  }
  if (call.kind === "list") return tryList(recorder, config, call.entity);
  const entity = entityOf(call.entity);
  const connection = connect(context, config, [entity]);
  const schema = schemaOf(entity);
  switch (call.kind) {
    case "secondPage":
      return trySecondPage(connection, schema);
    case "changes": {
      const since = new Date(call.since);
      const page = await connection.read({ ...readOf(schema), cursor: null, mode: "all", since });
      return pagesOf([page.records]);
    }
    case "get": {
      const records =
        (await connection.getByIds?.({ entity: schema, fields: namesOf(schema), ids: [call.recordId] })) ?? [];
      if (records.length === 0)
        throw new ConnectorError("invalidRequest", `There is no record with the id ${call.recordId}.`);
      return pagesOf([records]);
    }
    case "create":
    case "update":
    case "delete":
      return tryWrite(connection, schema, call);
    default:
      return call satisfies never;
  }
}

function connect(context: ConnectContext, config: HttpConfig, entities: readonly HttpEntityConfig[]): Connection {
  return connectApi(context, config, {
    described: ({ apiName }) => {
      const entity = entities.find((candidate) => candidate.apiName === apiName);
      if (entity) return entity;
      throw new ConnectorError("schemaChanged", `There is no entity ${apiName}.`);
    },
    all: async () => entities,
  });
}

/** A description that is being written: what is missing yet and this call does not need is filled in. */
function entityOf(values: Values): HttpEntityConfig {
  const { data, error } = HttpEntityConfig.safeParse({
    ...values,
    apiName: values["apiName"] || "tried",
    displayName: values["displayName"] || "Tried",
  });
  if (data) return data;
  const [issue] = error.issues;
  throw new ConnectorError("configuration", `The entity is not complete: ${issue?.path.join(".")}: ${issue?.message}.`);
}

async function tryList(
  recorder: ExchangeRecorder,
  config: HttpConfig,
  entity: Values,
): Promise<Partial<SynapseTestResult>> {
  const preview = await previewEntity({ ...recorder.context, config: { ...config, entities: [] } }, entity);
  const { recordSelectors, proposed, sample, problem, recordCount } = preview;
  const { last } = recorder;
  const list = entityList(entity);
  const selector = list || recordSelectors[0] || "$";
  const paging =
    last && !problem
      ? proposePaging(jsonOf(last.answer), last.answer.headers, { records: selector, asked: last.url })
      : [];
  return {
    recordSelectors,
    fields: proposed,
    sample,
    problem,
    pages: [{ count: recordCount, ids: [] }],
    paging: paging.map(({ paging: found, foundAt, stop }) => ({ paging: found, foundAt, stop })),
  };
}

function entityList(entity: Values): string {
  const { list } = entity;
  const selector =
    typeof list === "object" && list !== null && !Array.isArray(list) ? Reflect.get(list, "recordSelector") : "";
  return typeof selector === "string" ? selector : "";
}

const namesOf = (schema: EntitySchema): string[] => schema.fields.map(({ apiName }) => apiName);
const readOf = (schema: EntitySchema) => ({ entity: schema, fields: namesOf(schema), pageSize: PAGE });

type Records = Awaited<ReturnType<Connection["read"]>>["records"];

const pagesOf = (pages: readonly Records[]): Partial<SynapseTestResult> => ({
  pages: pages.map((records) => ({ count: records.length, ids: records.slice(0, SAMPLE).map(({ id }) => id) })),
  sample: pages
    .flat()
    .slice(0, SAMPLE)
    .map(({ values }) => values),
});

async function trySecondPage(connection: Connection, schema: EntitySchema): Promise<Partial<SynapseTestResult>> {
  const first = await connection.read({ ...readOf(schema), cursor: null, mode: "all" });
  if (first.drained) return pagesOf([first.records]);
  const second = await connection.read({ ...readOf(schema), cursor: first.cursor, mode: "all" });
  const known = new Set(first.records.map(({ id }) => id));
  const repeated = second.records.filter(({ id }) => known.has(id)).length;
  return { ...pagesOf([first.records, second.records]), repeated };
}

async function tryWrite(
  connection: Connection,
  schema: EntitySchema,
  call: SynapseWriteTest,
): Promise<Partial<SynapseTestResult>> {
  if (!connection.write) throw new ConnectorError("invalidRequest", `${schema.displayName} can't be written.`);
  const key = globalThis.crypto.randomUUID();
  const operation: WriteOperation =
    call.kind === "create"
      ? { kind: "create", values: call.values, idempotencyKey: key }
      : call.kind === "update"
        ? { kind: "update", id: call.recordId, values: call.values, idempotencyKey: key }
        : { kind: "delete", id: call.recordId, idempotencyKey: key };
  const [outcome] = await connection.write({ entity: schema, operations: [operation] });
  if (!outcome) throw new ConnectorError("unexpected", "Nothing was written.");
  const message = "message" in outcome ? outcome.message : null;
  const id = "id" in outcome ? outcome.id : null;
  const problem =
    outcome.status === "done"
      ? null
      : { kind: outcome.status, message: message ?? NOT_DONE[outcome.status] ?? "It was not written." };
  return { outcome: { status: outcome.status, id, message }, problem };
}

const NOT_DONE: Readonly<Record<string, string>> = {
  missing: "There is no such record.",
  conflict: "Somebody changed the record meanwhile.",
};
