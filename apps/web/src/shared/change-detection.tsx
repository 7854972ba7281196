/** How changes of an entity are found, what that costs and can't see: on the synapse's page and at a pipeline's source. */
import type { Id } from "@accord/contracts";
import { type EntityChanges, getEntityChanges } from "@accord/contracts/connections/change-detection";
import { useEndpoint } from "../app/queries.ts";
import { useWords } from "../app/words.ts";

export interface ChangeDetectionProps {
  connectorId: Id<"connector">;
  entityApiName: string;
  /** The source that reads it; its own slot is shown. */
  source?: { pipelineId: Id<"entity">; nodeId: string };
}

/** The system is asked once a minute at most: it is a person's server. */
const FRESH_MS = 60_000;

export function ChangeDetection({ connectorId, entityApiName, source }: ChangeDetectionProps) {
  const { t } = useWords("changes");
  const changes = useEndpoint(
    getEntityChanges,
    { params: { connectorId, entityApiName }, query: source ?? {} },
    { staleTime: FRESH_MS },
  );
  return (
    <section className="ac-entity__section" aria-busy={changes.isPending}>
      <h3>{t("title")}</h3>
      {changes.data ? <Found changes={changes.data} /> : null}
      {changes.isError ? <p>{t("unknown")}</p> : null}
    </section>
  );
}

/** What goes by the numbers that one database server gives out. */
const OF_DATABASES: ReadonlySet<EntityChanges["method"]> = new Set([
  "replication",
  "indexedWatermark",
  "counters",
  "intervalScan",
  "tableScan",
]);

function Found({ changes: { method, tableBytes, replication, slots } }: { changes: EntityChanges }) {
  const { t } = useWords("changes");
  const retained = slots.reduce((sum, slot) => sum + (slot.retainedBytes ?? 0), 0);
  return (
    <>
      <p>{t(`methods.${method}`, { size: sizeOf(tableBytes ?? 0) })}</p>
      {OF_DATABASES.has(method) ? <p>{t("timeOfReading")}</p> : null}
      {OF_DATABASES.has(method) ? <p>{t("failover")}</p> : null}
      {slots.length > 0 ? (
        <p>
          {t("slot", { size: sizeOf(retained) })}
          {slots.some(({ level }) => level !== "ok") ? ` ${t("slotMuch")}` : null}
        </p>
      ) : null}
      {replication?.problem ? <p>{t(`replicationProblems.${replication.problem}`)}</p> : null}
      {replication?.sql ? (
        <p>
          <code>{replication.sql}</code>
        </p>
      ) : null}
      {replication && !replication.isOn && !replication.problem ? <p>{t("replicationAvailable")}</p> : null}
    </>
  );
}

function sizeOf(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
