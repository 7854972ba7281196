/**
 * The values a system stored, where its answer to a write does not tell them: they are read back at once. A system that
 * keeps answering exactly what was sent is not asked any more while its connection is open and its answers look alike.
 */
import { hashValue, type Answer } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";
import type { HttpClient } from "./client.ts";
import type { RecordMap } from "./records.ts";
import { jsonOrNull } from "./send-write.ts";
import { readSingle, type ReadOptions, type SingleRead } from "./single-read.ts";

/** So many records in a row read back as they were sent: the next ones are taken to be stored so too. */
const ENOUGH_EQUAL = 10;

export interface StoredValues {
  /** null when it is not worth a call, or did not work: the write is done all the same. */
  readBack(write: { id: string; sent: Values; answer: Answer }, options: ReadOptions): Promise<SingleRead | null>;
}

export function storedValuesOf(
  client: HttpClient,
  entity: HttpEntityConfig,
  map: RecordMap,
  counts: Map<string, number>,
): StoredValues {
  return {
    async readBack({ id, sent, answer }, options) {
      const likeThis = `${entity.apiName} ${shapeOf(answer)}`;
      const equal = counts.get(likeThis) ?? 0;
      if (!entity.getById || entity.storedAsSent || equal >= ENOUGH_EQUAL) return null;
      const read = await readSingle(client, entity, map, id, options).catch(() => null);
      if (!read || read.record.id !== id) return null;
      // Another version than the one we made: somebody was faster, and what stands there is not our value's spelling.
      const written = answer.headers["etag"];
      if (written !== undefined && read.etag !== null && written !== read.etag) return null;
      const isAsSent = Object.keys(sent).every(
        (field) => hashValue(read.record.values[field]) === hashValue(sent[field]),
      );
      counts.set(likeThis, isAsSent ? equal + 1 : 0);
      return read;
    },
  };
}

/** Names in the answer's body: one that says something else than those before may be no success at all. */
function shapeOf(answer: Answer): string {
  const json = jsonOrNull(answer);
  return json !== null && typeof json === "object" ? Object.keys(json).slice(0, 20).join(" ").slice(0, 500) : "";
}
