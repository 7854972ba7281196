/** Core records for a page of questions: one query for each entity and field they narrow by. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";
import {
  compareValues,
  compilePredicate,
  isBlank,
  fixedSql,
  PredicateError,
  predicateSql,
  valuesAccess,
} from "@accord/expressions";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { Pool } from "../../../platform/db/db.ts";
import { fieldColumn } from "../../data/schema/index.ts";
import { findByCondition, findByField, findById } from "./lookups.store.ts";

type CoreQuestion = Extract<DataRequest, { kind: "coreRecords" }>;

export interface CoreLookupParts {
  pool: Pool;
  at: Id<"instance">;
  entities: readonly CoreEntity[];
  /** UTC milliseconds. */
  now: number;
}

const ID = "accordId";
const refused = (code: string, message: string): DataResult => ({ ok: false, code, message });

/** Answers in the order of the questions. */
export async function resolveCoreRecords(
  parts: CoreLookupParts,
  dataRequests: readonly CoreQuestion[],
): Promise<DataResult[]> {
  const candidates = await readCandidates(parts, dataRequests);
  const answers: DataResult[] = [];
  for (const dataRequest of dataRequests) {
    const entity = parts.entities.find(({ apiName }) => apiName === dataRequest.entity);
    if (!entity)
      answers.push(refused("entity_unknown", fill(actionFailures.noPublishedEntity, { entity: dataRequest.entity })));
    else answers.push(await answerOne(parts, entity, dataRequest, candidates));
  }
  return answers;
}

const keyOf = (entity: string, field: string): string => `${entity} ${field}`;

/** Everything that narrowed questions may find, by entity and field. */
async function readCandidates(
  { pool, at, entities }: CoreLookupParts,
  dataRequests: readonly CoreQuestion[],
): Promise<Map<string, Values[]>> {
  const wanted = new Map<string, Set<Value>>();
  for (const { entity, narrow } of dataRequests) {
    if (!narrow) continue;
    const key = keyOf(entity, narrow.field);
    wanted.set(key, (wanted.get(key) ?? new Set()).add(narrow.value));
  }
  const found = new Map<string, Values[]>();
  for (const [key, values] of wanted) {
    const [name, fieldName] = key.split(" ");
    const entity = entities.find(({ apiName }) => apiName === name);
    const field = entity?.fields.find(({ apiName }) => apiName === fieldName);
    if (entity && fieldName === ID) found.set(key, await findById(pool, at, entity, [...values].map(String)));
    else if (entity && field) found.set(key, await findByField(pool, at, entity, field, [...values]));
  }
  return found;
}

async function answerOne(
  parts: CoreLookupParts,
  entity: CoreEntity,
  dataRequest: CoreQuestion,
  candidates: ReadonlyMap<string, Values[]>,
): Promise<DataResult> {
  const fields = new Map(entity.fields.map((field) => [field.apiName, field]));
  const scope = { field: (name: string) => (name === ID ? ID_FIELD : fields.get(name)), timeZone: "UTC" };
  try {
    const { narrow, sort, limit } = dataRequest;
    const among = narrow ? candidates.get(keyOf(entity.apiName, narrow.field)) : undefined;
    if (!narrow || !among) {
      const column = (name: string) => {
        const field = fields.get(name);
        return field && field.dataType !== "password" ? { ...field, sql: fixedSql(fieldColumn(field)) } : undefined;
      };
      const condition = predicateSql(dataRequest.where, { column, timeZone: "UTC", now: parts.now });
      const field = sort && fields.get(sort.field);
      const by = sort && field ? { field, direction: sort.direction } : null;
      return { ok: true, found: await findByCondition(parts.pool, parts.at, entity, condition, by, limit) };
    }
    const test = compilePredicate(dataRequest.where, scope, valuesAccess).at(parts.now);
    const fitting = among.filter(test);
    if (sort) fitting.sort((left, right) => compare(left[sort.field], right[sort.field], sort.direction));
    return { ok: true, found: fitting.slice(0, limit) };
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    return refused("condition_invalid", actionFailures.conditionUnfit);
  }
}

const ID_FIELD = { apiName: ID, displayName: "Id", dataType: "string", isMultiValueField: false } as const;

/** Blanks last, whichever way. */
function compare(left: Value | undefined, right: Value | undefined, direction: "asc" | "desc"): number {
  if (isBlank(left) || isBlank(right)) return Number(isBlank(left)) - Number(isBlank(right));
  const sign = direction === "desc" ? -1 : 1;
  return sign * compareValues(left, right);
}
