/** One entity of a synapse: id and watermark, fields, sample records read from the system now. */
import {
  getSampleRecords,
  isConnectorActionAllowed,
  updateConnectorEntity,
  type ConnectorDetail,
  type ConnectorEntity,
} from "@accord/contracts/connections/connectors";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { EmptyState, ErrorBox, FormSkeleton, SidePanel, StatusTag, TableSkeleton } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { useTypeWords } from "../../../shared/words/type-words.ts";
import { ChangeDetection } from "../../../shared/change-detection.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { isDescribedHere } from "../connections.model.ts";
import { toast } from "../../../shared/toast.tsx";
import { CONNECTOR_READS, useConnectorEntity } from "../queries.ts";
import { idName } from "./id-name.ts";
import { ValueTable } from "./value-table.tsx";

export interface EntityPanelProps {
  connector: ConnectorDetail;
  entityApiName: string;
  onClose: () => void;
}

export function EntityPanel({ connector, entityApiName, onClose }: EntityPanelProps) {
  const { t } = useWords("connections");
  const entity = useConnectorEntity(connector.connectorId, entityApiName);
  const leave = useNavigate();
  return (
    <SidePanel
      title={entity.data?.displayName ?? entityApiName}
      subtitle={entityApiName}
      width={460}
      onClose={onClose}
      footer={
        isDescribedHere(connector) ? (
          <Button
            variant="default"
            onClick={() =>
              void leave({
                to: "/synapses/connections/$connectorId/http-entity",
                params: { connectorId: connector.id },
                search: { name: entityApiName },
              })
            }
          >
            {t("detail.editDescription")}
          </Button>
        ) : null
      }
    >
      <QueryView query={entity} skeleton={<FormSkeleton />}>
        {(data) => (
          <>
            {data.problem ? <ErrorBox tone="warn" message={data.problem} /> : null}
            {data.description ? <p>{data.description}</p> : null}
            <Roles connector={connector} entity={data} />
            {connector.status === "ACTIVE" && !data.problem ? (
              <ChangeDetection connectorId={connector.connectorId} entityApiName={data.apiName} />
            ) : null}
            <Comparison entity={data} />
            <Fields entity={data} />
            {connector.status === "ACTIVE" && !data.problem ? <Sample connector={connector} entity={data} /> : null}
          </>
        )}
      </QueryView>
    </SidePanel>
  );
}

function Roles({ connector, entity }: { connector: ConnectorDetail; entity: ConnectorEntity }) {
  const { t } = useWords("connections");
  const mayEdit = useCan("WRITE_CONNECTOR") && isConnectorActionAllowed(connector, "editEntities");
  const choose = useCall(updateConnectorEntity, {
    refreshes: [...CONNECTOR_READS],
    onSuccess: () => toast.success(t("detail.choiceSaved")),
    onError: (error) => toast.failed(error),
  });
  const params = { connectorId: connector.connectorId, entityApiName: entity.apiName };
  const discovered = (mark: "isIdField" | "isWatermarkField") =>
    entity.schema.fields.find((field) => field[mark])?.apiName;
  const automatic = (chosen: boolean, field: string | undefined) =>
    chosen || !field ? t("detail.automaticNone") : t("detail.automatic", { field });
  const labelOf = (name: string) => entity.schema.fields.find((field) => field.apiName === name)?.displayName ?? name;
  const options = (names: readonly string[]) =>
    names.map((value) => ({ value, label: `${labelOf(value)} (${idName(value)})` }));
  return (
    <section className="ac-entity__section">
      <Select
        label={t("detail.idField")}
        description={entity.idFieldChosen ? `${t("detail.idHint")} ${t("detail.chosen")}.` : t("detail.idHint")}
        placeholder={automatic(entity.idFieldChosen, discovered("isIdField"))}
        searchable
        clearable={entity.idFieldChosen}
        clearButtonProps={{ "aria-label": t("shell:action.clear") }}
        disabled={!mayEdit}
        data={options(entity.idCandidates)}
        value={entity.idField}
        onChange={(idField) => choose.mutate({ params, body: { idField } })}
      />
      <Select
        label={t("detail.watermarkField")}
        description={
          entity.watermarkFieldChosen
            ? `${t("detail.watermarkHint")} ${t("detail.chosen")}.`
            : t("detail.watermarkHint")
        }
        placeholder={automatic(entity.watermarkFieldChosen, discovered("isWatermarkField"))}
        searchable
        clearable={entity.watermarkFieldChosen}
        clearButtonProps={{ "aria-label": t("shell:action.clear") }}
        disabled={!mayEdit}
        data={options(entity.watermarkCandidates)}
        value={entity.watermarkField}
        onChange={(watermarkField) => choose.mutate({ params, body: { watermarkField } })}
      />
    </section>
  );
}

/** What happens to an edit that was made there since Accord read the record. */
function Comparison({ entity }: { entity: ConnectorEntity }) {
  const { t } = useWords("connections");
  if (!entity.writeComparison) return null;
  return (
    <section className="ac-entity__section">
      <h3>{t("detail.writeComparison")}</h3>
      <p>{t(`detail.writeComparisons.${entity.writeComparison}`)}</p>
    </section>
  );
}

function Fields({ entity }: { entity: ConnectorEntity }) {
  const { t } = useWords("connections");
  const typeWord = useTypeWords();
  return (
    <section className="ac-entity__section">
      <h3>
        {t("detail.fields")} ({entity.fieldCount})
      </h3>
      <table className="ac-entity__fields">
        <thead>
          <tr>
            <th scope="col">{t("detail.field")}</th>
            <th scope="col">{t("detail.type")}</th>
            <th scope="col">{t("detail.flags")}</th>
          </tr>
        </thead>
        <tbody>
          {entity.schema.fields.map((field) => (
            <tr key={field.apiName} data-gone={field.status === "INACTIVE" || undefined}>
              <td>
                {field.displayName}
                <br />
                <code>{field.apiName}</code>
              </td>
              <td>
                {field.isMultiValueField ? `${t("detail.flagList")} · ` : ""}
                {typeWord(field.dataType)}
                {field.referenceTo ? ` ${t("detail.refersTo", { entity: field.referenceTo })}` : ""}
              </td>
              <td>
                <Flags field={field} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Flags({ field }: { field: FieldSchema }) {
  const { t } = useWords("connections");
  if (field.status === "INACTIVE") return <StatusTag tone="idle">{t("detail.flagGone")}</StatusTag>;
  const flags = [
    field.isIdField && t("detail.flagId"),
    field.isWatermarkField && t("detail.flagWatermark"),
    !field.nillable && t("detail.flagRequired"),
    field.unique && !field.isIdField && t("detail.flagUnique"),
    !field.updateable && !field.initializable && t("detail.flagReadOnly"),
  ].filter(Boolean);
  return <>{flags.join(", ")}</>;
}

function Sample({ connector, entity }: { connector: ConnectorDetail; entity: ConnectorEntity }) {
  const { t } = useWords("connections");
  const [wanted, setWanted] = useState(false);
  const sample = useEndpoint(
    getSampleRecords,
    { params: { connectorId: connector.connectorId, entityApiName: entity.apiName }, query: {} },
    { enabled: wanted, retry: false },
  );
  return (
    <section className="ac-entity__section">
      <h3>{t("detail.sample")}</h3>
      {wanted ? (
        <QueryView query={sample} skeleton={<TableSkeleton rows={4} columns={3} />}>
          {({ fields, records, bad }) => (
            <>
              {records.length === 0 ? <EmptyState compact title={t("detail.sampleEmpty")} /> : null}
              {records.length > 0 ? (
                <ValueTable
                  label={t("detail.sample")}
                  columns={fields.map(({ apiName, displayName }) => ({ name: apiName, label: displayName }))}
                  rows={records.map(({ values }) => values)}
                />
              ) : null}
              {bad.map(({ place, message }) => (
                <ErrorBox key={place} tone="warn" title={`${t("detail.bad")}: ${place}`} message={message} />
              ))}
            </>
          )}
        </QueryView>
      ) : (
        <Button variant="default" onClick={() => setWanted(true)}>
          {t("detail.loadSample")}
        </Button>
      )}
    </section>
  );
}
