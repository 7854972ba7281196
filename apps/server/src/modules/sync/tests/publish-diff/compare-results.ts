/** What a record comes to under the published version and under the draft, compared. Pure. */
import { explain as words } from "@accord/contracts/messages/en/sync/explain";
import type { CoreChange, DiffRecord, PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { sameValue, type SecretFields } from "@accord/expressions";
import { placeName } from "@accord/sync-engine/run";
import type { TestPipeline } from "../../runs/index.ts";
import type { SimulatedDestination } from "../test-run/simulate.ts";
import { compareDestinations } from "./compare-destinations.ts";
import type { SourceResult, VersionResult } from "./run-version.ts";

/** A destination of either version. */
export interface EitherDestination {
  place: string;
  nodeId: string;
  label: string;
  version: "both" | "draft" | "published";
}

type Sinks = readonly Pick<TestPipeline["plan"]["sinks"][number], "nodeId" | "label" | "place" | "isActionsOnly">[];

/** Those of the draft first; a destination is the same if it is the same place. */
export function eitherDestinations(published: Sinks, draft: Sinks): EitherDestination[] {
  const listed = (sinks: Sinks, version: EitherDestination["version"]): EitherDestination[] =>
    sinks
      .filter(({ isActionsOnly }) => !isActionsOnly)
      .map(({ nodeId, label, place }) => ({ nodeId, label, place: placeName(place), version }));
  const [before, after] = [listed(published, "published"), listed(draft, "draft")];
  const has = (all: readonly EitherDestination[], { place }: EitherDestination): boolean =>
    all.some((one) => one.place === place);
  return [
    ...after.map((one): EitherDestination => (has(before, one) ? { ...one, version: "both" } : one)),
    ...before.filter((one) => !has(after, one)),
  ];
}

type Sources = readonly Pick<TestPipeline["plan"]["sources"][number], "nodeId" | "label">[];

/** Those that the other version does not have, the draft's first; a source is the same if it is the same node. */
export function oneSidedSources(published: Sources, draft: Sources): PublishDiff["sources"] {
  const only = (sources: Sources, others: Sources, version: "draft" | "published"): PublishDiff["sources"] =>
    sources
      .filter(({ nodeId }) => !others.some((other) => other.nodeId === nodeId))
      .map(({ label }) => ({ label, version }));
  return [...only(draft, published, "draft"), ...only(published, draft, "published")];
}

type Compared = Omit<DiffRecord, "recordId" | "name" | "isCut">;

/** Secret fields: of the core, and of a destination by its place. */
export interface DiffSecrets {
  core: SecretFields;
  at(place: string): SecretFields;
}

/** Null: it makes no difference. */
export function compareResults(
  before: VersionResult,
  after: VersionResult,
  destinations: readonly EitherDestination[],
  secrets: DiffSecrets,
): Compared | null {
  const sources = bothSources(before, after);
  const compared = {
    values: changedValues(before, after, secrets.core),
    merged: before.mergedWith === after.mergedWith ? null : { before: before.mergedWith, after: after.mergedWith },
    attached: sources.flatMap(([was, now]) =>
      was.attachedTo === now.attachedTo ? [] : [{ source: now.label, before: was.attachedTo, after: now.attachedTo }],
    ),
    heldBack: sources.flatMap(([was, now]) => {
      const [wasHeld, isHeld] = [was.state === "heldBack", now.state === "heldBack"];
      return wasHeld === isHeld ? [] : [{ source: now.label, isByDraft: isHeld }];
    }),
    refused: sources.flatMap(([was, now]) => differingRefusals(was, now)),
    actions: sameTexts(before.actions, after.actions)
      ? null
      : { before: [...before.actions], after: [...after.actions] },
  };
  const changes = (["values", "merged", "attached", "heldBack", "refused", "actions"] as const).filter((kind) =>
    hasChange(compared, kind),
  );
  const sent = destinations.flatMap(({ place }, destination) => {
    const at = ({ destinations: all }: VersionResult): SimulatedDestination | undefined =>
      all.find(({ sink }) => placeName(sink.place) === place);
    const draft = at(after);
    const one = compareDestinations(at(before), draft, secrets.at(place));
    if (!one) return [];
    const isDue = !WRITING.has(one.change) || (draft !== undefined && after.due.has(draft.sink.place.id));
    return [{ destination, ...one, isDue }];
  });
  return changes.length === 0 && sent.length === 0 ? null : { ...compared, changes, destinations: sent };
}

/** Changes by which something is sent, or tried to be. */
const WRITING: ReadonlySet<string> = new Set(["created", "updated", "deleted", "refused"]);

function hasChange(compared: Omit<Compared, "changes" | "destinations">, kind: CoreChange): boolean {
  const part = compared[kind];
  return Array.isArray(part) ? part.length > 0 : part !== null;
}

/** Sources that both versions have. */
function bothSources(before: VersionResult, after: VersionResult): [SourceResult, SourceResult][] {
  return [...after.sources].flatMap(([nodeId, now]): [SourceResult, SourceResult][] => {
    const was = before.sources.get(nodeId);
    return was ? [[was, now]] : [];
  });
}

function changedValues(before: VersionResult, after: VersionResult, secrets: SecretFields): Compared["values"] {
  const [was, now] = [before.core.values, after.core.values];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])]
    .filter((field) => !sameValue(was[field], now[field]))
    .map((field) => ({
      field,
      before: secrets.value(field, was[field] ?? null),
      after: secrets.value(field, now[field] ?? null),
    }));
}

function differingRefusals(was: SourceResult, now: SourceResult): Compared["refused"] {
  const source = now.label;
  const reasonOf = (one: { reason: string } | undefined): string | null =>
    one === undefined ? null : (REASONS.get(one.reason) ?? one.reason);
  const fields = [...new Set([...was.refused.keys(), ...now.refused.keys()])].flatMap((field) => {
    const [before, after] = [reasonOf(was.refused.get(field)), reasonOf(now.refused.get(field))];
    return before === after ? [] : [{ source, field, before, after }];
  });
  const failure = ({ state, message }: SourceResult): string | null =>
    state === "failed" ? (message ?? words.notWritten.failed) : null;
  const [before, after] = [failure(was), failure(now)];
  return before === after ? fields : [{ source, field: null, before, after }, ...fields];
}

const REASONS: ReadonlyMap<string, string> = new Map(Object.entries(words.refusal));

const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.toSorted().join("\n") === right.toSorted().join("\n");
