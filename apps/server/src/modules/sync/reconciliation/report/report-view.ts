/** Reports and differences as people see them: names instead of numbers, and nothing of passwords. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Value } from "@accord/contracts/data/values";
import {
  type Difference,
  DifferenceKind,
  DifferenceReason,
  type Reconciliation,
} from "@accord/contracts/sync/reconciliation";
import { SecretFields } from "@accord/expressions";
import type { CompiledPipeline } from "../../runs/index.ts";
import type { DifferenceRow } from "./differences.store.ts";
import type { ReportRow } from "./reports.store.ts";
import { systemsOf } from "../comparison/systems.ts";

export const CSV_HEADER = [
  "Difference",
  "Reason",
  "System",
  "Entity",
  "External id",
  "Record id",
  "Field",
  "System's field",
  syncRefusals.columnSystemValue,
  syncRefusals.columnCoreValue,
];

/** `pipeline`: null when it no longer runs. */
export function differenceViewer(pipeline: CompiledPipeline | null): (row: DifferenceRow) => Difference {
  const systems = new Map((pipeline ? systemsOf(pipeline) : []).map((system) => [system.placeId, system]));
  return (row) => {
    const system = systems.get(row.placeId);
    // Without the pipeline nobody knows which fields are secret: then all are.
    const secrets = pipeline?.secrets.at(row.placeId) ?? SecretFields.of(null);
    const name =
      [row.field, row.connectorField].find((field) => field !== null && secrets.has(field)) ?? row.field ?? "";
    const shown = (value: Value): Value => secrets.value(name, value);
    return {
      number: row.number,
      kind: row.kind,
      reason: row.reason,
      connectorId: system?.connectorId ?? "",
      connectorName: system?.connectorName ?? "",
      entityName: system?.schema.displayName ?? "",
      externalId: row.externalId,
      recordId: row.recordId,
      field: row.field,
      connectorField: row.connectorField,
      outsideValue: shown(row.outsideValue),
      coreValue: shown(row.coreValue),
      repairRequestedAt: row.repairRequestedAt,
    };
  };
}

export const csvRow = (row: Difference): Value[] => [
  row.kind,
  row.reason,
  row.connectorName,
  row.entityName,
  row.externalId,
  row.recordId,
  row.field,
  row.connectorField,
  row.outsideValue,
  row.coreValue,
];

export function toReconciliation(report: ReportRow, stored: ReadonlyMap<string, number>): Reconciliation {
  const { progress, summary } = report;
  const counts = Object.entries(summary.counts ?? {}).map(([key, count]) => {
    const [kind, reason] = key.split(" ");
    return {
      kind: DifferenceKind.parse(kind),
      reason: DifferenceReason.parse(reason),
      count,
      stored: stored.get(key) ?? 0,
    };
  });
  const listed = (summary.systems ?? []).reduce((sum, system) => sum + system.listed, 0);
  return {
    id: report.id,
    entityId: report.pipelineId,
    versionNumber: report.versionNumber,
    status: report.status,
    requestedBy: report.requestedBy,
    requestedAt: report.requestedAt,
    beganAt: report.beganAt,
    endedAt: report.endedAt,
    phase: progress.phase ?? "waiting",
    listed: report.status === "FINISHED" ? listed : (progress.listed ?? 0),
    expected: progress.expected ?? null,
    suspects: progress.suspects ?? 0,
    coreRecords: summary.coreRecords ?? 0,
    systems: summary.systems ?? [],
    counts,
    unexplained: counts.reduce((sum, { reason, count }) => sum + (reason === "unexplained" ? count : 0), 0),
    problem: report.problem,
  };
}
