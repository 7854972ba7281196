/** One call for a page of a list, and the records in its answer. */
import { compileSelector, ConnectorError, jsonOf, type Answer, type ReadRequest } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import type { HttpClient } from "../client.ts";
import type { NamedError } from "../named-errors.ts";
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
  const paged = pageRequest(list, place);
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
  const records = listIn({ entity, client }, answer, json, list.recordSelector);
  return { json, answer, records, isPastEnd: false };
}

/**
 * The list in an answer. Without one there is only an empty list where the API says so: by its status, by nothing in
 * the list's place, by a total of none, or by leaving out what is empty as described. Anything else proves nothing, and
 * may be an error. `saysNone`: whether an error says only that.
 */
export function listIn(
  { entity, client }: { entity: HttpEntityConfig; client: HttpClient },
  answer: Answer,
  json: Value,
  selector: string,
  saysNone: (error: NamedError) => boolean = () => false,
): Value[] {
  const found = compileSelector(selector)(json);
  if (Array.isArray(found) && (found.length > 0 || !client.writeErrorIn(answer))) return found;
  if (answer.status === 204) return [];
  if (json === null)
    throw new ConnectorError("unexpected", `${answer.place} answered nothing where a list was expected.`);
  if ((found === null || found === undefined) && totalIn(entity, json) === 0) return [];
  const error = client.readErrorIn(answer);
  if (error && saysNone(error)) return [];
  if (error) throw new ConnectorError("unexpected", `${answer.place} answered no list: ${error.words}.`);
  if (found === null || (found === undefined && entity.leavesOutEmpty)) return [];
  throw new ConnectorError("configuration", `The answer holds no list at "${selector || "$"}".`, {
    hint: 'Choose where the records are in the answer: try the endpoint in the entity\'s settings. An API that leaves out empty lists is described by "Fields that are left out are empty".',
  });
}

function totalIn({ list }: HttpEntityConfig, json: Value): number | null {
  const { totalSelector } = list.stop;
  const total = totalSelector === "" ? null : compileSelector(totalSelector)(json);
  return typeof total === "number" || typeof total === "string" ? Number(total) : null;
}
