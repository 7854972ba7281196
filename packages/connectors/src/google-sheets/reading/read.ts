/**
 * Reads the rows of a tab page by page in the order of their ids, wherever they stand: people sort, insert and delete rows
 * meanwhile. A tab that is unchanged since the last pass gives no rows: by the version of the file, or else by comparing it.
 */
import {
  ConnectorError,
  type IdPage,
  type ListIdsRequest,
  type ReadPage,
  type ReadRequest,
} from "@accord/connector-sdk";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import type { GoogleClient } from "../calls/client.ts";
import { markOf, parsePosition, shapeOf, type Mark, type Position } from "./position.ts";
import { doubledRecords, recordsOf, unreadableRecord, type Records } from "./records.ts";
import { readTab, type TabContent, type TabReader } from "./tab.ts";

/** Formulas change with time and with other spreadsheets, which is no change of the file: so often it is read all the same. */
const MAX_REST_MS = 900_000;
/** How long the pages of one pass are cut from the same reading; a write ends that at once. */
const SNAPSHOT_MS = 30_000;
/** Rows that can't be read are named one by one up to this number. */
const MAX_BAD = 500;

interface Snapshot {
  shape: string;
  content: TabContent;
  records: Records;
  /** In the order of their characters. */
  ids: string[];
}

interface Pages {
  read(request: ReadRequest): Promise<ReadPage>;
  /** What was read before is not what stands there any more. */
  forget(): void;
}

export function pagesOf(reader: TabReader): Pages {
  const { client } = reader;
  const kept = new Map<string, Snapshot>();
  /** Counts what made readings useless while they were under way. */
  let writes = 0;
  const fresh = async ({ entity, fields, signal }: ReadRequest, shape: string): Promise<Snapshot> => {
    const before = writes;
    const content = await readTab(reader, entity, signal);
    const records = recordsOf(content, entity, fields);
    const snapshot = { shape, content, records, ids: [...records.byId.keys()].sort(byCharacters) };
    if (before === writes) kept.set(entity.apiName, snapshot);
    return snapshot;
  };
  const lately = async (request: ReadRequest): Promise<Snapshot> => {
    const shape = shapeOf(request);
    const known = kept.get(request.entity.apiName);
    const isFresh = known?.shape === shape && client.now() - known.content.readAt < SNAPSHOT_MS;
    return known && isFresh ? known : fresh(request, shape);
  };
  return {
    forget() {
      writes += 1;
      kept.clear();
    },
    async read(request) {
      const position = parsePosition(request.cursor);
      return position.pass
        ? pageOf(request, position, position.pass, await lately(request))
        : firstPage(client, request, position, fresh);
    },
  };
}

async function firstPage(
  client: GoogleClient,
  request: ReadRequest,
  position: Position,
  fresh: (request: ReadRequest, shape: string) => Promise<Snapshot>,
): Promise<ReadPage> {
  const { mode, signal } = request;
  const shape = shapeOf(request);
  // Asked before the rows are read: what changes in between is found by the next pass.
  const version = await client.version(signal);
  const seen = mode === "changes" ? position.seen : null;
  if (seen && version !== null && isResting(seen, { version, shape, now: client.now() }))
    return { records: [], cursor: position, drained: true };
  const snapshot = await fresh(request, shape);
  const { content, records } = snapshot;
  const began = markOf(version, shape, content, records);
  const problems = content.header.problems;
  if (seen && seen.hash === began.hash && seen.shape === shape) {
    const cursor: Position = { seen: began, pass: null };
    return { records: [], cursor, drained: true, ...(problems.length > 0 && { warnings: problems }) };
  }
  const bad = [...doubledRecords(content, records), ...records.lost];
  const unnamed = bad.splice(MAX_BAD).length;
  const message = fill(googleSheets.rows.more, { tab: content.title, count: unnamed });
  const warnings = unnamed > 0 ? [...problems, { code: "moreBadRows", message }] : problems;
  return {
    ...pageOf(request, position, { began, after: "" }, snapshot),
    ...(bad.length > 0 && { bad }),
    ...(warnings.length > 0 && { warnings }),
    ...(seen && seen.ids !== began.ids && { missedDeletes: true }),
  };
}

const isResting = (seen: Mark, { version, shape, now }: { version: string; shape: string; now: number }): boolean =>
  seen.version === version && seen.shape === shape && now >= seen.readAt && now - seen.readAt < MAX_REST_MS;

/** Ids in their order, those behind the last one of the page before. */
function pageOf(
  { pageSize, withLocations }: ReadRequest,
  { seen }: Position,
  { began, after }: NonNullable<Position["pass"]>,
  { records, ids }: Snapshot,
): ReadPage {
  const rest = ids.filter((id) => id > after);
  const some = rest.slice(0, pageSize);
  const last = some.at(-1);
  const drained = last === undefined || rest.length <= pageSize;
  return {
    records: some.flatMap((id) => {
      const found = records.byId.get(id);
      if (!found) return [];
      const { place, ...record } = found.record;
      return [withLocations && place !== undefined ? { ...record, place } : record];
    }),
    cursor: drained ? { seen: began, pass: null } : { seen, pass: { began, after: last } },
    drained,
  };
}

const byCharacters = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/**
 * All ids at once.
 * @throws ConnectorError where a row has no id that can be read: nobody can say then which rows are gone.
 */
export async function listIds(reader: TabReader, { entity, fields, signal }: ListIdsRequest): Promise<IdPage> {
  const content = await readTab(reader, entity, signal);
  const { byId, doubled, lost } = recordsOf(content, entity, fields ?? []);
  const [first] = lost;
  if (first)
    throw new ConnectorError(
      "configuration",
      fill(googleSheets.rows.unknownDeletions, { place: first.place, reason: first.message }),
      { hint: googleSheets.rows.unknownDeletionsHint },
    );
  const records = [...byId.values()].map(({ record: { place: _, ...record } }) => record);
  const unread = [...doubled.keys()].map((id) => unreadableRecord(id, entity));
  const ids = [...byId.keys(), ...doubled.keys()];
  return { ids, ...(fields && { records: [...records, ...unread] }), cursor: "all", drained: true };
}
