/** The form of a source or destination: synapse, entity, field mapping and what may travel. */
import { SearchSelect } from "@accord/ui";
import { Button, Select, Switch } from "@mantine/core";
import { IconArrowsMaximize } from "@tabler/icons-react";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { FieldMapping, SinkConfiguration } from "@accord/contracts/sync/graph";
import { useWords } from "../../../../app/words.ts";
import { ChangeDetection } from "../../../../shared/change-detection.tsx";
import { useSetSearch } from "../address.ts";
import { useConnectorEntities, useConnectorEntity, useConnectors, useCoreEntity } from "../queries.ts";
import { MappingRowPipeline } from "../field-pipeline/field-link.tsx";
import type { NodeFormProps } from "./node-form-props.ts";
import { FieldMappingTable } from "./field-mapping.tsx";
import { SourceOptions } from "./source-options.tsx";

export function PlaceForm(props: NodeFormProps & { side: "source" | "sink" }) {
  const { t } = useWords("sync");
  const { configuration, readOnly, onChange, side } = props;
  const { connectorId, entityDefinition } = configuration;
  const connectors = useConnectors().data?.connectors ?? [];
  const entities = useConnectorEntities(connectorId).data?.entities ?? [];
  const connector = connectors.find((candidate) => candidate.id === connectorId);
  const entity = useConnectorEntity(connectorId, entityDefinition);
  const core = useCoreEntity(props.entityId);
  const parsed = FieldMapping.array().safeParse(configuration["fieldMappings"]);
  const rows = parsed.success ? parsed.data : rowsAsTyped(configuration["fieldMappings"]);
  const choices = connectors
    .filter((candidate) => candidate.status === "ACTIVE" || candidate.id === connectorId)
    .map((candidate) => ({ value: candidate.id, label: candidate.name }));
  const entityName = entity.data?.displayName ?? entityDefinition ?? "";
  return (
    <>
      <Select
        label={t("configure.connector")}
        placeholder={t("configure.chooseConnector")}
        data={choices}
        value={connectorId ?? null}
        disabled={readOnly}
        onChange={(value) =>
          onChange({
            ...configuration,
            connectorId: value ?? undefined,
            entityDefinition: undefined,
            fieldMappings: [],
          })
        }
      />
      <SearchSelect
        label={t("configure.entity")}
        placeholder={t("configure.chooseEntity")}
        data={entities.map((candidate) => ({ value: candidate.apiName, label: candidate.displayName }))}
        value={entityDefinition ?? null}
        limit={100}
        disabled={readOnly || !connectorId}
        onChange={(value) => {
          const chosen = entities.find((candidate) => candidate.apiName === value);
          onChange(
            { ...configuration, entityDefinition: value ?? undefined, fieldMappings: [] },
            { words: { connectorEntityName: chosen?.displayName ?? "" } },
          );
        }}
      />
      {entity.data && core.data ? <OpenMapper nodeId={props.node.id} /> : null}
      {entity.data && core.data ? (
        <FieldMappingTable
          side={side}
          rows={rows}
          connectorName={connector?.name ?? entityName}
          entityName={core.data.displayName}
          connectorFields={entity.data.schema.fields}
          coreFields={core.data.fields}
          readOnly={readOnly}
          onChange={(fieldMappings) => onChange({ ...configuration, fieldMappings })}
          fieldPipeline={(coreField) => (
            <MappingRowPipeline entityId={props.entityId} coreField={coreField} fromNode={props.node.id} />
          )}
        />
      ) : null}
      {connectorId && entityDefinition ? (
        side === "source" ? (
          <>
            <SourceOptions {...props} />
            {connector && entity.data && !entity.data.problem ? (
              <ChangeDetection
                connectorId={connector.connectorId}
                entityApiName={entityDefinition}
                source={{ pipelineId: props.entityId, nodeId: props.node.id }}
              />
            ) : null}
          </>
        ) : (
          <SinkOptions {...props} rows={rows} connectorFields={entity.data?.schema.fields ?? []} />
        )
      ) : null}
    </>
  );
}

function OpenMapper({ nodeId }: { nodeId: string }) {
  const { t } = useWords("sync");
  const setSearch = useSetSearch();
  return (
    <Button
      variant="default"
      leftSection={<IconArrowsMaximize size={15} />}
      onClick={() => setSearch({ mapper: nodeId })}
    >
      {t("mapper.open")}
    </Button>
  );
}

/** Rows with an empty side are kept while somebody is still choosing. */
function rowsAsTyped(value: unknown): FieldMapping[] {
  if (!Array.isArray(value)) return [];
  return value.map((row: Partial<FieldMapping>) => ({
    connectorField: row.connectorField ?? "",
    coreField: row.coreField ?? "",
  }));
}

const SINK_SWITCHES = ["create", "update", "delete", "recreate", "onlyChangedFields"] as const;

interface SinkOptionsProps extends NodeFormProps {
  rows: FieldMapping[];
  connectorFields: readonly FieldSchema[];
}

function SinkOptions({ configuration, readOnly, onChange, rows, connectorFields }: SinkOptionsProps) {
  const { t } = useWords("sync");
  const defaults = SinkConfiguration.parse({ connectorId: "", entityDefinition: "" });
  const matchOn = configuration["matchOn"];
  const mapped = [...new Set(rows.flatMap(({ connectorField }) => connectorField || []))];
  const nameOf = (apiName: string): string =>
    connectorFields.find((field) => field.apiName === apiName)?.displayName ?? apiName;
  return (
    <>
      {SINK_SWITCHES.map((name) => (
        <Switch
          key={name}
          label={t(`configure.${name}`)}
          description={name === "delete" ? t("configure.deleteHint") : undefined}
          checked={typeof configuration[name] === "boolean" ? configuration[name] : defaults[name]}
          disabled={readOnly}
          onChange={(event) => onChange({ ...configuration, [name]: event.currentTarget.checked })}
        />
      ))}
      <Select
        label={t("configure.matchOn")}
        description={t("configure.matchOnHint")}
        placeholder={t("configure.matchOnNone")}
        data={mapped.map((apiName) => ({ value: apiName, label: nameOf(apiName) }))}
        value={typeof matchOn === "string" ? matchOn : null}
        clearable
        clearButtonProps={{ "aria-label": t("configure.matchOnNone") }}
        disabled={readOnly}
        onChange={(value) => onChange({ ...configuration, matchOn: value ?? undefined })}
      />
    </>
  );
}
