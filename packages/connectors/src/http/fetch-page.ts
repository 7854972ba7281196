/** One call for a page of a list, and the records in its answer. */
import { compileSelector, ConnectorError, jsonOf, type Answer, type ReadRequest } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import type { HttpClient } from "./client.ts";
import { pageRequest, type PageCursor } from "./paging.ts";
import { watermarkFacts } from "./watermark.ts";

export interface Fetched {
  json: Value;
  answer: Answer;
  records: Value[];
  /** The API refused the page because there is none at this place. */
  isPastEnd: boolean;
}

/** `since`: the moment from which changes are asked for; `pastEnd`: statuses that say that there is no such page. */
export async function fetchPage(
  { entity, client }: { entity: HttpEntityConfig; client: HttpClient },
  request: Pick<ReadRequest, "until" | "signal">,
  since: string | null,
  place: PageCursor,
  pastEnd: readonly number[] = [],
): Promise<Fetched> {
  const { list } = entity;
  const paged = pageRequest(list.paging, place);
  const asked = watermarkFacts(entity, since, request.until ?? null);
  const answer = await client.call(list, {
    ...paged,
    query: { ...asked.query, ...paged.query },
    facts: { ...asked.facts, ...paged.facts },
    signal: request.signal,
  });
  if (pastEnd.includes(answer.status)) return { json: null, answer, records: [], isPastEnd: true };
  if (!answer.ok) throw client.refusal(answer);
  const json = jsonOf(answer);
  const records = listIn(entity, json);
  if (records.length === 0) assertEmptyList(entity, client, answer, json);
  return { json, answer, records, isPastEnd: false };
}

/** A success without a list may be a failure all the same: an error in words, or an answer that got lost. */
function assertEmptyList(entity: HttpEntityConfig, client: HttpClient, answer: Answer, json: Value): void {
  if (answer.status === 204) return;
  if (json === null)
    throw new ConnectorError("unexpected", `${answer.place} answered nothing where a list was expected.`);
  if (Array.isArray(compileSelector(entity.list.recordSelector)(json))) return;
  const reason = client.reason(answer);
  if (reason !== null) throw new ConnectorError("unexpected", `${answer.place} answered no list: ${reason}.`);
}

export function listIn(entity: HttpEntityConfig, json: Value): Value[] {
  const found = compileSelector(entity.list.recordSelector)(json);
  if (Array.isArray(found)) return found;
  if (found === null || found === undefined) {
    if (json === null || entity.list.recordSelector !== "") return [];
  }
  throw new ConnectorError("configuration", `The answer holds no list at "${entity.list.recordSelector || "$"}".`, {
    hint: "Choose where the records are in the answer: try the endpoint in the entity's settings.",
  });
}
