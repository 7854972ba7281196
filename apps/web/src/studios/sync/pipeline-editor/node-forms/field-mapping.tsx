/** The field mapping of a source or destination: rows of two selects, with automatic suggestions. */
import { SearchSelect } from "@accord/ui";
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowNarrowLeft, IconArrowNarrowRight, IconPlus, IconTrash, IconWand } from "@tabler/icons-react";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { suggestMappings } from "@accord/sync-engine/graph";
import type { ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import { useTypeWords } from "../../../../shared/words/type-words.ts";
import { toast } from "../../../../shared/toast.tsx";
import "./field-mapping.css";

interface Props {
  side: "source" | "sink";
  rows: FieldMapping[];
  connectorName: string;
  entityName: string;
  connectorFields: readonly FieldSchema[];
  coreFields: readonly FieldSchema[];
  readOnly: boolean;
  onChange: (rows: FieldMapping[]) => void;
  /** The way to the pipeline of a row's core field, and its state. */
  fieldPipeline?: ((coreField: string) => ReactNode) | undefined;
}

const options = (fields: readonly FieldSchema[], keep: string) =>
  fields
    .filter((field) => field.status === "ACTIVE" || field.apiName === keep)
    .map((field) => ({ value: field.apiName, label: field.displayName }));

/** The list shows the types; the row itself stays short. */
const withTypes =
  (fields: readonly FieldSchema[]) =>
  ({ option }: { option: { value: string; label: string } }) => {
    const type = fields.find((field) => field.apiName === option.value)?.dataType;
    return (
      <span className="ac-mapping__option">
        {option.label}
        {type ? <TypeWord type={type} /> : null}
      </span>
    );
  };

function TypeWord({ type }: { type: FieldSchema["dataType"] }) {
  return <span>{useTypeWords()(type)}</span>;
}

export function FieldMappingTable(props: Props) {
  const { t } = useWords("sync");
  const { side, rows, connectorFields, coreFields, readOnly, onChange } = props;
  const Arrow = side === "source" ? IconArrowNarrowRight : IconArrowNarrowLeft;
  const writable =
    side === "sink" ? connectorFields.filter((field) => field.updateable || field.initializable) : connectorFields;
  const change = (index: number, part: Partial<FieldMapping>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const suggest = () => {
    const found = suggestMappings({ connectorFields, coreFields, existing: rows, direction: side });
    if (found.length === 0) return toast.info(t("configure.suggestedNone"));
    onChange([...rows.filter((row) => row.connectorField || row.coreField), ...found]);
    toast.success(t("configure.suggested", { count: found.length }));
  };
  const connectorLabel = t("configure.connectorField", { connector: props.connectorName });
  const coreLabel = t("configure.coreField", { entity: props.entityName });
  return (
    <fieldset className="ac-mapping" disabled={readOnly}>
      <legend>{t("configure.mapping")}</legend>
      <p className="ac-mapping__hint">{t(side === "source" ? "configure.mappingSource" : "configure.mappingSink")}</p>
      <div className="ac-mapping__head" aria-hidden>
        <span>{connectorLabel}</span>
        <span>{coreLabel}</span>
      </div>
      {rows.map((row, index) => (
        <div key={index} className="ac-mapping__row">
          <SearchSelect
            aria-label={connectorLabel}
            data={options(writable, row.connectorField)}
            renderOption={withTypes(connectorFields)}
            value={row.connectorField || null}
            onChange={(value) => change(index, { connectorField: value ?? "" })}
            limit={80}
            error={row.connectorField === ""}
            disabled={readOnly}
          />
          <Arrow size={16} aria-hidden />
          <SearchSelect
            aria-label={coreLabel}
            data={options(coreFields, row.coreField)}
            renderOption={withTypes(coreFields)}
            value={row.coreField || null}
            onChange={(value) => change(index, { coreField: value ?? "" })}
            limit={80}
            error={row.coreField === ""}
            disabled={readOnly}
          />
          {row.coreField === "" ? null : props.fieldPipeline?.(row.coreField)}
          <ActionIcon
            className="ac-mapping__remove"
            variant="subtle"
            color="gray"
            aria-label={t("configure.removeRow", { field: row.connectorField })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
            disabled={readOnly}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      {readOnly ? null : (
        <div className="ac-mapping__foot">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...rows, { connectorField: "", coreField: "" }])}
          >
            {t("configure.addRow")}
          </Button>
          <Button variant="light" size="xs" leftSection={<IconWand size={14} />} onClick={suggest}>
            {t("configure.suggest")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
