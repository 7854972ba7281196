/** Answers of storage, and what it holds in the end, in one form for memory and PostgreSQL. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type {
  Claimed,
  FoundCandidates,
  FoundDuplicates,
  Resolved,
  ResolvedReference,
  StoredRecord,
} from "@accord/sync-engine/run";
import type { RecordedRun, StoreCommand } from "@accord/sync-simulation";

export type Kept = Readonly<
  Record<
    | "records"
    | "links"
    | "deliveries"
    | "ledger"
    | "pending"
    | "waiting"
    | "quarantineEntries"
    | "conflicts"
    | "merges"
    | "merged"
    | "lostFields"
    | "positions",
    string[]
  >
>;

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value) || isExactNumber(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));

/** A row as text; the members of objects have no order. */
export const lineOf = (row: readonly unknown[]): string => JSON.stringify(row, inOrder);

/** What memory holds at the end of a history. */
export function keptInMemory({ store, plan }: RecordedRun): Kept {
  const lines = (rows: readonly (readonly unknown[])[]): string[] => rows.map(lineOf).sort();
  const insertNode = (key: string): number => Number(key.split("|")[0]);
  return {
    records: lines(
      [...store.records.values()].map(({ recordId, version, deleted, values, origin }) => [
        recordId,
        version,
        deleted,
        origin,
        ...[...plan.coreFields.keys()].map((field) => values[field] ?? null),
      ]),
    ),
    links: lines(
      [...store.links].map(
        ([key, { externalId, recordId, seen, lastWritten, refused, respelled, modifiedAt, dead, heldBack = null }]) => [
          insertNode(key),
          externalId,
          recordId,
          seen,
          lastWritten,
          refused,
          respelled,
          modifiedAt,
          dead,
          heldBack,
          store.touchedAt.get(key) ?? null,
          store.writtenAt.get(key) ?? null,
        ],
      ),
    ),
    deliveries: lines(
      [...store.deliveries].map(([key, { attempts, isParked, unfit, unanswered, nextAt }]) => [
        insertNode(key),
        key.split("|")[1],
        attempts,
        isParked,
        unfit ?? null,
        unanswered?.intent ?? null,
        unanswered?.written.join(" ") ?? "",
        // When what is quarantined would be due is of no account.
        isParked ? null : nextAt,
      ]),
    ),
    ledger: lines(
      store.ledger.map(({ recordId, operation, externalId, changes, refused, epoch }) => [
        recordId,
        operation,
        externalId,
        changes,
        refused,
        epoch,
      ]),
    ),
    pending: lines(
      [...store.pending.values()].map(({ recordId, field, connectorId, entity, externalId, placeId, at }) => [
        recordId,
        field,
        connectorId,
        entity,
        externalId,
        placeId,
        at,
      ]),
    ),
    waiting: lines([...store.waiting.values()].map((wait) => [wait.placeId, wait.recordId, wait.targetId])),
    quarantineEntries: lines(store.quarantineEntries.keys().map((key) => [insertNode(key), key.split("|")[1]])),
    conflicts: lines(
      [...store.conflicts.values()].map(({ recordId, field, placeId, value, at, reason }) => [
        recordId,
        field,
        placeId,
        value,
        at,
        reason,
      ]),
    ),
    merges: lines(
      store.merges.kept.map(({ status, winnerId, loserIds, changes, origin, moved, repointed }) => [
        status,
        winnerId,
        loserIds,
        changes,
        origin,
        sorted(moved.map(({ placeId, externalId, from }) => [placeId, externalId, from])),
        sorted(repointed.map(({ recordId, field, from, to }) => [recordId, field, from, to])),
      ]),
    ),
    merged: lines(store.merges.merged.map(({ loserId, winnerId, undone }) => [loserId, winnerId, undone])),
    lostFields: lines([...store.lostFields]),
    positions: lines([...store.cursors].map(([nodeId, cursor]) => [nodeId, cursor, store.through.has(nodeId)])),
  };
}

const sorted = <Item>(items: Iterable<Item>): Item[] =>
  [...items].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** A record without what only one of the storages says in so many words: a field that is absent is null. */
const plainRecord = ({ recordId, version, deleted, values, origin }: StoredRecord): unknown => [
  recordId,
  version,
  deleted,
  sorted(Object.entries(values).filter(([, value]) => value !== null)),
  sorted(Object.entries(origin).map(([field, { by, at }]) => [field, by, at])),
];

/** An answer without order where none is promised, and without what the storages name each in their own way. */
export function plainAnswer(command: StoreCommand, answer: unknown): unknown {
  switch (command.kind) {
    case "resolve":
      return plainResolved(answer as Resolved);
    case "match": {
      const { records, cut, isFull } = answer as FoundCandidates;
      return [records.map(plainRecord), cut, isFull];
    }
    case "findHolders":
      return sorted(answer as string[]);
    case "findDuplicates": {
      const { records, places, separated, cut, isFull } = answer as FoundDuplicates;
      const live = [...places].map(([recordId, ids]) => [recordId, sorted(ids)]);
      const parted = sorted(new Set(separated.map((pair) => pair.join(" "))));
      return [records.map(plainRecord), sorted(live), parted, cut, isFull];
    }
    case "findResolved":
      return sorted(
        (answer as ResolvedReference[]).map(({ record, field, targetId, placeId, at }) => [
          plainRecord(record),
          field,
          targetId,
          placeId,
          at,
        ]),
      );
    case "claim":
      return plainClaimed(command.request.references, answer as Claimed);
    case "intend": {
      const { status, ...sets } = answer as { status: string; standing?: Set<string>; taken?: Set<string> };
      return [status, sorted(sets.standing ?? []), sorted(sets.taken ?? [])];
    }
    default:
      return answer ?? null;
  }
}

function plainResolved(resolved: Resolved): unknown {
  const { absorbed, links, deadSince, writtenAt, records, unanswered, otherPlaces, quarantined } = resolved;
  const { references, renamed, merged, aliased } = resolved;
  return {
    absorbed: sorted(absorbed),
    links: sorted(links),
    deadSince: sorted(deadSince ?? []),
    writtenAt: sorted(writtenAt ?? []),
    quarantined: sorted(quarantined),
    records: sorted([...records.values()].map(plainRecord)),
    unanswered: sorted(
      [...unanswered].map(([id, { intent, written, isTied }]) => [id, intent, written.join(" "), isTied]),
    ),
    otherPlaces: sorted([...otherPlaces].map(([id, places]) => [id, sorted(places)])),
    references: sorted([...references].map(([key, ids]) => [key, sorted(ids)])),
    renamed: sorted(renamed ?? []),
    merged: sorted(merged ?? []),
    aliased: sorted(aliased ?? []),
  };
}

function plainClaimed(fields: readonly { coreField: string; connectorId: string; entity: string }[], claimed: Claimed) {
  const { deliveries, references, nextAt } = claimed;
  return {
    nextAt: nextAt === null ? null : Math.round(nextAt),
    deliveries: deliveries.map(
      ({ recordId, attempts, unanswered, record, link, isMerged, open, dueForMs, writtenForMs }) => ({
        recordId,
        attempts,
        unanswered: unanswered && [unanswered.intent, unanswered.written.join(" ")],
        dueFor: Math.round(dueForMs / 10),
        toldFor: writtenForMs && Math.round(writtenForMs / 10),
        record: record && plainRecord(record),
        link: link && sorted(Object.entries(link)),
        isMerged: isMerged === true,
        open: sorted(open ?? []),
        named: fields.map(({ coreField, connectorId, entity }) => {
          const target = record?.values[coreField];
          return typeof target === "string" ? (references.get(`${connectorId}/${entity}`)?.get(target) ?? null) : null;
        }),
      }),
    ),
  };
}
