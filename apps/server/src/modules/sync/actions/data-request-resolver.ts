/** Answers what nodes of a running pipeline ask: lookups in the unified model and in systems, and actions. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Connection } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { foldText, SecretFields, textOf } from "@accord/expressions";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { Deps } from "../../../platform/deps.ts";
import { SealedValues } from "../../../platform/secrets/sealed-values.ts";
import {
  type ConnectorEntityFacts,
  type ConnectorsService,
  singleReadsOf,
} from "../../connections/connectors/index.ts";
import { findReferenceRows } from "../../data/reference-data/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { resolveCoreRecords } from "./core-lookups.ts";
import { runCode } from "./code-requests.ts";
import { findLinks } from "./lookups.store.ts";
import type { ActionExecutor } from "./action-executor.ts";
import type { ServiceProviders } from "./providers/providers.ts";

export interface DataRequestDependencies {
  schema: Pick<SchemaService, "listEntities">;
  connectors: Pick<ConnectorsService, "entitySchema">;
}

export interface DataRequestParts {
  deps: Pick<Deps, "dataPool" | "clock" | "secrets" | "codeSandbox">;
  needs: DataRequestDependencies;
  executor: ActionExecutor;
  services: Pick<ServiceProviders, "ask">;
}

type Of<Kind extends DataRequest["kind"]> = Extract<DataRequest, { kind: Kind }>;
type Numbered<Kind extends DataRequest["kind"]> = { dataRequest: Of<Kind>; index: number }[];

const isOf = <Kind extends DataRequest["kind"]>(dataRequest: DataRequest, kind: Kind): dataRequest is Of<Kind> =>
  dataRequest.kind === kind;

/** Connectors take this many values at once. */
const VALUES_AT_ONCE = 100;
const refused = (code: string, message: string): DataResult => ({ ok: false, code, message });

/** In the order of the questions. Throws when a system can't be reached: nothing was decided then, ask again later. */
export async function resolveDataRequests(
  parts: DataRequestParts,
  pipeline: PipelineContext,
  dataRequests: readonly DataRequest[],
): Promise<DataResult[]> {
  const answers: DataResult[] = dataRequests.map(() => NOBODY);
  const of = <Kind extends DataRequest["kind"]>(kind: Kind): Numbered<Kind> =>
    dataRequests.flatMap((dataRequest, index) => (isOf(dataRequest, kind) ? [{ dataRequest, index }] : []));
  const fill = <Kind extends DataRequest["kind"]>(asked: Numbered<Kind>, found: readonly DataResult[]): void => {
    for (const [at, { index }] of asked.entries()) answers[index] = found[at] ?? NOBODY;
  };

  const core = of("coreRecords");
  if (core.length > 0) {
    const entities = await parts.needs.schema.listEntities(pipeline.instanceId);
    const now = parts.deps.clock.now().getTime();
    const lookup = { pool: parts.deps.dataPool, at: pipeline.instanceId, entities, now };
    const seals = new SealedValues(parts.deps.secrets, pipeline.instanceId, SecretFields.of(null));
    const opened = (answer: DataResult): DataResult =>
      answer.ok ? { ...answer, found: answer.found.map((one) => seals.openAll(one)) } : answer;
    fill(
      core,
      (
        await resolveCoreRecords(
          lookup,
          core.map(({ dataRequest }) => dataRequest),
        )
      ).map(opened),
    );
  }
  const external = of("externalRecords");
  if (external.length > 0) fill(external, await answerExternal(parts, pipeline, external));
  const toExternal = of("externalId");
  if (toExternal.length > 0) fill(toExternal, await answerLinks(parts, pipeline, toExternal, "record_id"));
  const toRecord = of("recordId");
  if (toRecord.length > 0) fill(toRecord, await answerLinks(parts, pipeline, toRecord, "external_id"));
  const reference = of("referenceData");
  if (reference.length > 0) fill(reference, await answerReference(parts, pipeline, reference));
  const provided = of("provider");
  if (provided.length > 0) fill(provided, await askServices(parts, pipeline, provided));
  const code = of("code");
  if (code.length > 0) {
    const requests = code.map(({ dataRequest }) => dataRequest);
    fill(code, await runCode(parts.deps.codeSandbox, pipeline, requests));
  }
  const actions = of("action");
  if (actions.length > 0) {
    fill(
      actions,
      await parts.executor.perform(
        pipeline,
        actions.map(({ dataRequest }) => dataRequest),
      ),
    );
  }
  return answers;
}

async function answerReference(
  { deps }: DataRequestParts,
  { instanceId }: PipelineContext,
  asked: Numbered<"referenceData">,
): Promise<DataResult[]> {
  const answers: DataResult[] = asked.map(() => NOBODY);
  const groups = Map.groupBy(
    asked.map(({ dataRequest }, at) => ({ dataRequest, at })),
    ({ dataRequest: { dataset, column, caseSensitive, limit } }) =>
      JSON.stringify([dataset, column, caseSensitive, limit]),
  );
  for (const group of groups.values()) {
    const first = group[0]?.dataRequest;
    if (!first) continue;
    const { dataset: list, column, caseSensitive, limit } = first;
    const texts = group.map(({ dataRequest }) => textOf(dataRequest.value));
    const found = await findReferenceRows(deps.dataPool, instanceId, { list, column, texts, caseSensitive, limit });
    for (const [index, { at }] of group.entries())
      answers[at] = found
        ? { ok: true, found: found.get(texts[index] ?? "") ?? [] }
        : refused("reference_data_unknown", fill(actionFailures.noListWithColumn, { column }));
  }
  return answers;
}

/** Requests to one service at the same time. */
const ASKED_AT_ONCE = 8;

async function askServices(
  { services }: DataRequestParts,
  { instanceId }: PipelineContext,
  asked: Numbered<"provider">,
): Promise<DataResult[]> {
  const answers: DataResult[] = [];
  for (let start = 0; start < asked.length; start += ASKED_AT_ONCE) {
    const some = asked.slice(start, start + ASKED_AT_ONCE);
    const found = await Promise.all(
      some.map(({ dataRequest: { service, input } }) => services.ask(instanceId, service, input)),
    );
    answers.push(...found.map((answer) => answer ?? NOBODY));
  }
  return answers;
}

/** Services have nobody who answers until they are set up. */
const NOBODY = refused("not_configured", actionFailures.serviceNotSetUp);

async function answerExternal(
  { needs }: DataRequestParts,
  pipeline: PipelineContext,
  asked: Numbered<"externalRecords">,
): Promise<DataResult[]> {
  const answers = new Map<number, DataResult>();
  const groups = Map.groupBy(asked, ({ dataRequest }) =>
    [dataRequest.connectorId, dataRequest.entity, dataRequest.field].join(" "),
  );
  for (const group of groups.values()) {
    const first = group[0]?.dataRequest;
    if (!first) continue;
    const facts = await needs.connectors.entitySchema(pipeline.instanceId, first.connectorId, first.entity);
    const field = first.field || facts?.idField;
    if (!facts || !field) {
      for (const { index } of group) answers.set(index, refused("place_unknown", `There is no ${first.entity}.`));
      continue;
    }
    const connection = await pipeline.connect(first.connectorId);
    const values = [...new Set(group.map(({ dataRequest }) => dataRequest.value))];
    const fields = facts.schema.fields.map(({ apiName }) => apiName);
    const found = await readExternal(connection, { facts, fields, field }, values);
    for (const { dataRequest, index } of group) {
      const wanted = foldText(textOf(dataRequest.value));
      const fitting = found?.filter((record) => foldText(textOf(record[field] ?? record["externalId"])) === wanted);
      answers.set(
        index,
        fitting
          ? { ok: true, found: fitting.slice(0, dataRequest.limit) }
          : refused("lookup_unsupported", fill(actionFailures.notSearchable, { entity: first.entity, field })),
      );
    }
  }
  return asked.map(({ index }) => answers.get(index) ?? NOBODY);
}

interface Searched {
  facts: ConnectorEntityFacts;
  fields: string[];
  field: string;
}

/** null when the system offers no way to find records. */
async function readExternal(
  connection: Connection,
  { facts, fields, field }: Searched,
  values: readonly Value[],
): Promise<Values[] | null> {
  const found: Values[] = [];
  const { schema, idField, capabilities } = facts;
  const getByIds = field === idField ? singleReadsOf(connection, facts) : null;
  if (!getByIds && !capabilities.includes("lookup")) return null;
  for (let start = 0; start < values.length; start += VALUES_AT_ONCE) {
    const some = values.slice(start, start + VALUES_AT_ONCE);
    const records = getByIds
      ? await getByIds({ entity: schema, fields, ids: some.map(textOf) })
      : await connection.lookup?.({ entity: schema, fields, field, values: some });
    if (!records) return null;
    for (const record of records) if (!record.deleted) found.push({ ...record.values, externalId: record.id });
  }
  return found;
}

async function answerLinks(
  { deps }: DataRequestParts,
  pipeline: PipelineContext,
  asked: { dataRequest: Of<"externalId"> | Of<"recordId">; index: number }[],
  by: "record_id" | "external_id",
): Promise<DataResult[]> {
  const idOf = (dataRequest: Of<"externalId"> | Of<"recordId">): string =>
    dataRequest.kind === "externalId" ? dataRequest.recordId : dataRequest.externalId;
  const answers = new Map<number, DataResult>();
  const groups = Map.groupBy(asked, ({ dataRequest }) => [dataRequest.connectorId, dataRequest.entity].join(" "));
  for (const group of groups.values()) {
    const place = group[0]?.dataRequest;
    if (!place) continue;
    const ids = group.map(({ dataRequest }) => idOf(dataRequest));
    const links = await findLinks(deps.dataPool, pipeline.instanceId, place, by, ids);
    for (const { dataRequest, index } of group) {
      const id = idOf(dataRequest);
      const link = links.find((one) => (by === "record_id" ? one.recordId : one.externalId) === id);
      answers.set(index, { ok: true, found: link ? [otherEnd(link, by)] : [] });
    }
  }
  return asked.map(({ index }) => answers.get(index) ?? NOBODY);
}

const otherEnd = (link: { recordId: string; externalId: string }, by: "record_id" | "external_id"): Values =>
  by === "record_id" ? { externalId: link.externalId } : { accordId: link.recordId };
