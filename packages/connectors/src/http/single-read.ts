/** Reads one record of an entity by its id, with what its API tells about the version that was read. */
import { compileSelector, ConnectorError, jsonOf, type SourceRecord } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { CallOptions, HttpClient } from "./client.ts";
import type { RecordMap } from "./records.ts";

export interface SingleRead {
  record: SourceRecord;
  /** As it came, weak or strong. */
  etag: string | null;
}

export type ReadOptions = Pick<CallOptions, "signal">;

/** null when there is no such record, or it is marked as deleted. */
export async function readSingle(
  client: HttpClient,
  entity: HttpEntityConfig,
  map: Pick<RecordMap, "readOne">,
  id: string,
  options: ReadOptions = {},
): Promise<SingleRead | null> {
  const spec = entity.getById;
  if (!spec)
    throw new ConnectorError("invalidRequest", `${entity.displayName} can't be asked for single records.`, {
      hint: "Describe the endpoint that answers one record in the entity's settings.",
    });
  const answer = await client.call(spec, { ...options, facts: { id } });
  if (answer.status === 404 || answer.status === 410) return null;
  if (!answer.ok) throw client.refusal(answer);
  const found = compileSelector(spec.recordSelector)(jsonOf(answer));
  // Some APIs answer a list of one.
  const json = Array.isArray(found) ? found[0] : found;
  const record = json === null || json === undefined ? null : map.readOne(json);
  if (!record || record.deleted) return null;
  return { record, etag: answer.headers["etag"] ?? null };
}
