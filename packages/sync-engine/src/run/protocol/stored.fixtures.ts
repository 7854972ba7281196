/** Records, links, deliveries and what storage answers, for tests of single steps. */
import type { FlowRecord } from "../../functions/flow.ts";
import { newFlowRecord } from "../../functions/flow.ts";
import {
  FakeSystem,
  PLAIN_TRAITS,
  planFor,
  type GraphChanges,
  type SystemTraits,
} from "@accord/sync-simulation/testing";
import type { ProcessedPage } from "../source/page/process-page.ts";
import type { PendingWrite } from "../sink/deliveries/pending-writes.ts";
import type { Plan, SinkPlan, SourcePlan } from "../plan/plan.ts";
import type { Claimed, ClaimedDelivery, Resolved } from "./storage.ts";
import type { StoredLink, StoredRecord } from "./stored.ts";
import type { InboundRecord } from "./inbound-record.ts";

/** 2026-01-01, when nothing else is said. */
export const NOW = Date.UTC(2026, 0, 1);
export const momentOf = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString();

export const storedRecord = (more: Partial<StoredRecord> = {}): StoredRecord => ({
  recordId: "r1",
  version: 3,
  deleted: false,
  values: { email: "ada@example.com", name: "Ada" },
  origin: {},
  ...more,
});

export const storedLink = (more: Partial<StoredLink> = {}): StoredLink => ({
  externalId: "A1",
  recordId: "r1",
  seen: null,
  told: null,
  refused: null,
  respelled: null,
  modifiedAt: null,
  dead: false,
  ...more,
});

export const claimedDelivery = (more: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  recordId: "r1",
  attempts: 0,
  wanted: 7,
  unanswered: null,
  dueForMs: 0,
  writtenForMs: null,
  record: storedRecord(),
  link: storedLink(),
  ...more,
});

export const claimedOf = (deliveries: readonly ClaimedDelivery[], more: Partial<Claimed> = {}): Claimed => ({
  deliveries: [...deliveries],
  references: new Map(),
  nextAt: null,
  ...more,
});

export const pendingWriteOf = (
  operation: PendingWrite["operation"],
  more: Partial<PendingWrite> = {},
): PendingWrite => ({
  delivery: claimedDelivery(operation === "create" ? { link: null } : {}),
  operation,
  externalId: operation === "create" ? null : "A1",
  values: { name: "Ada" },
  written: "",
  ...more,
});

/** What storage answers about a page of which nothing is known. */
export const resolvedWith = (more: Partial<Resolved> = {}): Resolved => ({
  absorbed: new Set(),
  links: new Map(),
  records: new Map(),
  unanswered: new Map(),
  otherPlaces: new Map(),
  quarantined: new Map(),
  references: new Map(),
  ...more,
});

export const inboundRecordOf = (more: Partial<InboundRecord> = {}): InboundRecord => ({
  record: { id: "A1", values: {} },
  seen: "",
  link: null,
  stored: null,
  isAlias: false,
  formerId: null,
  isBack: false,
  written: [],
  mapped: {},
  refusedFields: [],
  pending: [],
  renamed: [],
  returned: new Map(),
  spelling: null,
  ...more,
});

export const processedPage = (more: Partial<ProcessedPage> = {}): ProcessedPage => ({
  seen: { records: [], seen: [], bad: [], warnings: [], isReplay: false, isCurrent: false, askedAt: 0 },
  resolved: resolvedWith(),
  confirmed: [],
  gone: [],
  heldBack: [],
  completed: [],
  quarantine: [],
  settled: [],
  absorbed: 0,
  filtered: 0,
  deferredActions: [],
  executedActions: [],
  warnings: [],
  ...more,
});

export const flowOf = (more: Partial<Parameters<typeof newFlowRecord>[0]> = {}): FlowRecord =>
  newFlowRecord({ values: {}, ...more });

/** Two systems, A and B, both read and written: their pipeline, with A's own source and destination. */
export function twoSystems(
  traits: Partial<SystemTraits> = {},
  {
    scenario,
    authority = "NONE",
    ...changes
  }: Omit<GraphChanges, "scenario"> & {
    scenario?: Partial<NonNullable<GraphChanges["scenario"]>>;
    authority?: Parameters<typeof planFor>[1];
  } = {},
): { plan: Plan; source: SourcePlan; sink: SinkPlan } {
  const systems = ["A", "B"].map((name) => new FakeSystem(name, { ...PLAIN_TRAITS, ...traits }));
  const told = {
    duplicates: null,
    hasReferences: false,
    readsSinglePages: false,
    noDeleteSystems: [],
    actionOptions: null,
  };
  const plan = planFor(systems, authority, 1, {
    ...changes,
    ...(scenario ? { scenario: { ...told, types: null, ...scenario } } : {}),
  });
  const [source] = plan.sources;
  const [sink] = plan.sinks;
  if (!source || !sink) throw new Error("the plan has no source or no destination");
  return { plan, source, sink };
}
