/** How far a connector's schema has been read. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { ProgressBar } from "@accord/ui";
import { useWords } from "../../../app/words.ts";
import { useSchemaProgress } from "../queries.ts";

export function SchemaProgressBar({ connector }: { connector: Connector }) {
  const { t } = useWords("connections");
  const progress = useSchemaProgress(connector.connectorId, connector.progress);
  const label = t("progress.reading");
  if (!progress) return <ProgressBar tone="ember" label={label} note={t("progress.starting")} />;
  const { done, total, entity, percentage } = progress;
  const facts = { done, total: total ?? 0, entity: entity ?? "" };
  const note = total === null ? t("progress.entity", facts) : t("progress.entityOf", facts);
  return <ProgressBar tone="ember" label={label} note={note} percent={total === null ? undefined : percentage} />;
}
