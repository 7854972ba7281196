/** Forms of the nodes that only field pipelines have: a field that is read or written, and the core field. */
import { SearchSelect } from "@accord/ui";
import { Select } from "@mantine/core";
import type { ConnectorField } from "@accord/contracts/sync/node-fields";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useConnectorFields } from "../queries.ts";
import type { NodeFormProps } from "./node-form-props.ts";

const placeOf = ({ connectorId, connectorEntity }: Pick<ConnectorField, "connectorId" | "connectorEntity">): string =>
  `${connectorId} ${connectorEntity}`;

/** Which system's field: offered are those of the entity pipeline's sources, or of its destinations. */
export function FieldNodeForm({
  entityId,
  configuration,
  readOnly,
  onChange,
  type,
}: NodeFormProps & { type: ConnectorField["type"] }) {
  const { t } = useWords("sync");
  const { connectorId, entityDefinition, attributeDefinition } = configuration;
  const offered = (useConnectorFields(entityId).data?.fields ?? []).filter((field) => field.type === type);
  const place = connectorId && entityDefinition ? `${connectorId} ${entityDefinition}` : null;
  const places = new Map(
    offered.map((field): [string, { value: string; label: string }] => [
      placeOf(field),
      { value: placeOf(field), label: t("node.of", { name: field.connectorEntity, value: field.connectorName }) },
    ]),
  );
  // What is set stays readable where the entity pipeline no longer has it.
  if (place && !places.has(place)) places.set(place, { value: place, label: entityDefinition ?? "" });
  const fields = offered.filter((field) => placeOf(field) === place).map(({ name, label }) => ({ value: name, label }));
  if (attributeDefinition && !fields.some(({ value }) => value === attributeDefinition))
    fields.push({ value: attributeDefinition, label: attributeDefinition });
  return (
    <>
      <Select
        label={t(type === "SOURCE" ? "fieldPipeline.source" : "fieldPipeline.destination")}
        placeholder={t("configure.chooseEntity")}
        data={[...places.values()]}
        value={place}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(value) => {
          const chosen = offered.find((field) => placeOf(field) === value);
          if (!chosen) return;
          onChange({
            ...configuration,
            connectorId: chosen.connectorId,
            entityDefinition: chosen.connectorEntity,
            attributeDefinition: undefined,
          });
        }}
      />
      <SearchSelect
        label={t("fieldPipeline.field")}
        placeholder={t("fieldPipeline.chooseField")}
        data={fields}
        value={attributeDefinition ?? null}
        limit={100}
        disabled={readOnly || place === null}
        onChange={(value) => onChange({ ...configuration, attributeDefinition: value ?? undefined })}
      />
    </>
  );
}

/** The core field can't be changed here: it is what the pipeline is of. */
export function CoreFieldForm({ entityId }: NodeFormProps) {
  const { t } = useWords("sync");
  const scope = useFieldScope();
  if (!scope) return null;
  const { field, entityVersion } = scope;
  return (
    <>
      <p className="ac-dialog__lead">
        {t("fieldPipeline.coreHint", { field: field.displayName, type: field.dataType })}
      </p>
      <div className="ac-configure__links">
        <Link
          to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
          params={{ entityId, graphVersion: entityVersion }}
        >
          {t("fieldPipeline.openEntity")}
        </Link>
      </div>
    </>
  );
}
