/** What other systems say of a field, under the value that won, with settling it on the spot. */
import type { CoreField } from "@accord/contracts/data/entities";
import { getRecord, getRecordLineage } from "@accord/contracts/data/records";
import { getRecordAsOf } from "@accord/contracts/sync/monitoring/explain";
import {
  type CompetingValue,
  type Conflict,
  listConflicts,
  settleConflicts,
} from "@accord/contracts/sync/monitoring/conflicts";
import { Button } from "@mantine/core";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import type { EntityId } from "../queries.ts";
import { useSystems } from "../use-systems.ts";
import { textOf } from "../value.model.ts";

export interface CompetingValuesProps {
  entityId: EntityId;
  field: CoreField;
  conflict: Conflict;
}

export function CompetingValues(props: CompetingValuesProps) {
  return props.conflict.competing.map((other) => (
    <Competing key={`${other.connectorId} ${other.connectorEntity}`} other={other} {...props} />
  ));
}

function Competing({ entityId, field, conflict, other }: CompetingValuesProps & { other: CompetingValue }) {
  const { t } = useWords("data");
  const mayWrite = useCan("WRITE_STUDIO");
  const system = useSystems().get(other.connectorId)?.name ?? other.connectorEntity;
  const settle = useCall(settleConflicts, {
    refreshes: [listConflicts, getRecord, getRecordLineage, getRecordAsOf],
    onSuccess: (_, { body }) => {
      const isTaken = body.settlements.some(({ choice }) => choice.kind === "take");
      toast.success(t(isTaken ? "competing.taken" : "competing.kept", { field: field.displayName }));
    },
    onError: (error) => toast.failed(error),
  });
  const { recordId } = conflict;
  const value = textOf(field, other.value) || t("competing.nothing");
  const held = textOf(field, conflict.value) || t("competing.nothing");
  const send = (choice: Parameters<typeof settle.mutate>[0]["body"]["settlements"][number]["choice"]) =>
    settle.mutate({ params: { entityId }, body: { settlements: [{ recordId, field: field.apiName, choice }] } });
  return (
    <div className="ac-competing">
      <p title={t(`competing.${other.reason}`, { system })}>
        {t("competing.says", { system })} <strong>{value}</strong>
        <small>{t(`competing.${other.reason}`, { system })}</small>
      </p>
      {mayWrite ? (
        <span className="ac-competing__deeds">
          <Button
            size="compact-xs"
            variant="default"
            disabled={settle.isPending}
            aria-label={t("competing.keepLabel", { value: held, field: field.displayName })}
            onClick={() => send({ kind: "keep" })}
          >
            {t("competing.keep")}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={settle.isPending}
            aria-label={t("competing.takeLabel", { value, system, field: field.displayName })}
            onClick={() =>
              send({ kind: "take", connectorId: other.connectorId, connectorEntity: other.connectorEntity })
            }
          >
            {t("competing.take")}
          </Button>
        </span>
      ) : null}
    </div>
  );
}
