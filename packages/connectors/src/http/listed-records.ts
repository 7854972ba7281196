/** Whether single reads find what the list shows: an address that finds nothing at all proves no deletion. */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { HttpClient } from "./client.ts";
import { fetchPage } from "./lists/fetch-page.ts";
import { START } from "./lists/paging.ts";
import type { RecordMap } from "./records.ts";

/** So many listed records may be gone by the time they are asked for. */
const TRIED = 3;

interface Parts {
  client: HttpClient;
  entity: HttpEntityConfig;
  map: Pick<RecordMap, "idOf" | "isLeftOut">;
  signal?: AbortSignal | undefined;
}

/** Once for each connection and entity. */
const checks = new WeakMap<HttpClient, Map<string, Promise<void>>>();

/**
 * Throws when no record of the list's first page can be read alone. Asked when a single read finds nothing, before
 * that counts; `isFound` reads one record. An empty list can't be compared with anything.
 */
export function assertListedAreFound(
  parts: Parts,
  missingId: string,
  isFound: (id: string) => Promise<boolean>,
): Promise<void> {
  const { client, entity } = parts;
  const ofClient = checks.get(client) ?? new Map<string, Promise<void>>();
  checks.set(client, ofClient);
  const known = ofClient.get(entity.apiName);
  if (known) return known;
  const check = compareWithList(parts, missingId, isFound);
  ofClient.set(entity.apiName, check);
  check.catch(() => ofClient.delete(entity.apiName));
  return check;
}

async function compareWithList(
  { client, entity, map, signal }: Parts,
  missingId: string,
  isFound: (id: string) => Promise<boolean>,
): Promise<void> {
  const list = await fetchPage({ entity, client }, signal ? { signal } : {}, null, START).catch((error: unknown) => {
    if (error instanceof ConnectorError && !error.retryable) return null;
    throw error;
  });
  // A list that may not be read, or isn't there, as where an entity is only written to, can't be compared with.
  if (list === null) return;
  const ids = list.records.flatMap((record) => (map.isLeftOut(record) ? [] : (map.idOf(record) ?? [])));
  const tried = [...ids.filter((id) => id !== missingId), missingId].slice(0, Math.min(TRIED, ids.length));
  for (const id of tried) if (await isThere(id, isFound)) return;
  if (tried.length === 0) return;
  throw new ConnectorError(
    "unexpected",
    `Records that ${list.answer.place} lists are not found one by one: nothing counts as deleted by that.`,
    { hint: "Check the call that reads one record in the entity's settings." },
  );
}

/** A record that may not be read is there. */
async function isThere(id: string, isFound: (id: string) => Promise<boolean>): Promise<boolean> {
  try {
    return await isFound(id);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === "permission") return true;
    throw error;
  }
}
