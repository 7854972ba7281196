/** How the sources belong together; what the references between them suggest comes first. */
import {
  type DatasetConfig,
  type DatasetJoin,
  type DataSourceField,
  JOIN_TYPES,
} from "@accord/contracts/insights/dataset-config";
import { suggestJoins } from "@accord/contracts/insights/datasets";
import { Card } from "@accord/ui";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconSparkles, IconX } from "@tabler/icons-react";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { useState } from "react";
import { withJoin } from "./dataset.model.ts";

interface JoinsProps {
  config: DatasetConfig;
  fields: readonly DataSourceField[];
  onChange: (config: DatasetConfig) => void;
}

export function Joins({ config, fields, onChange }: JoinsProps) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(
    suggestJoins,
    { body: { sources: config.sources } },
    { enabled: config.sources.length > 1 },
  );
  const known = new Set(config.joins.map(({ field1, field2 }) => JSON.stringify([field1, field2])));
  const open = (data?.suggestions ?? [])
    .filter(({ field1, field2 }) => !known.has(JSON.stringify([field1, field2])))
    .slice(0, 4);
  const change = (at: number, join: DatasetJoin): void =>
    onChange({ ...config, joins: config.joins.map((one, place) => (place === at ? join : one)) });
  const [draft, setDraft] = useState<JoinDraft | null>(null);
  const add = (next: DatasetConfig): void => {
    setDraft(null);
    onChange(next);
  };
  const complete = (next: JoinDraft): void => {
    const { field1, field2, joinType } = next;
    if (!field1 || !field2) return setDraft(next);
    add({ ...config, joins: [...config.joins, { joinId: "", joinType, field1, field2 }] });
  };
  return (
    <Card
      title={t("editor.joins")}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          disabled={draft !== null}
          onClick={() => setDraft({ field1: null, field2: null, joinType: "LEFT" })}
        >
          {t("editor.addJoin")}
        </Button>
      }
    >
      {open.length > 0 ? (
        <div className="ac-joins__suggested">
          {open.map((suggestion, at) => (
            <Button
              key={at}
              size="xs"
              variant="light"
              leftSection={<IconSparkles size={14} />}
              onClick={() => add(withJoin(config, suggestion))}
            >
              {nameOf(suggestion.field1)} = {nameOf(suggestion.field2)}
            </Button>
          ))}
        </div>
      ) : null}
      <ul className="ac-joins">
        {config.joins.map((join, at) => (
          <JoinRow
            key={at}
            join={join}
            fields={fields}
            onChange={(next) => change(at, { ...join, ...next } as DatasetJoin)}
            onRemove={() => onChange({ ...config, joins: config.joins.filter((_, place) => place !== at) })}
          />
        ))}
        {draft ? (
          <JoinRow
            isNew
            join={draft}
            fields={fields}
            onChange={(next) => complete({ ...draft, ...next })}
            onRemove={() => setDraft(null)}
          />
        ) : null}
      </ul>
      {draft ? <p className="ac-quiet ac-joins__help">{t("editor.joinHelp")}</p> : null}
    </Card>
  );
}

/** A join whose fields are still to be chosen; the dataset has it once both are. */
interface JoinDraft {
  field1: Side | null;
  field2: Side | null;
  joinType: DatasetJoin["joinType"];
}
type Side = DatasetJoin["field1"];

interface JoinRowProps {
  join: JoinDraft;
  isNew?: boolean;
  fields: readonly DataSourceField[];
  onChange: (change: Partial<JoinDraft>) => void;
  onRemove: () => void;
}

function JoinRow({ join, isNew = false, fields, onChange, onRemove }: JoinRowProps) {
  const { t } = useWords("insights");
  const { field1, field2 } = join;
  /** A source is joined with another one. */
  const offered = (other: Side | null) =>
    isNew && other ? fields.filter(({ datasourceAlias }) => datasourceAlias !== other.datasourceAlias) : fields;
  return (
    <li>
      <SideSelect
        label={t("editor.joinField1")}
        autoFocus={isNew}
        side={field1}
        fields={offered(field2)}
        onChange={(next) => onChange({ field1: next })}
      />
      <span>{t("editor.equals")}</span>
      <SideSelect
        label={t("editor.joinField2")}
        side={field2}
        fields={offered(field1)}
        onChange={(next) => onChange({ field2: next })}
      />
      <Select
        aria-label={t("editor.joinType")}
        allowDeselect={false}
        value={join.joinType}
        data={JOIN_TYPES.map((type) => ({ value: type, label: t(`editor.joinTypes.${type}`) }))}
        onChange={(type) => {
          const joinType = JOIN_TYPES.find((one) => one === type);
          if (joinType) onChange({ joinType });
        }}
      />
      <ActionIcon variant="subtle" color="idle" aria-label={t("editor.removeJoin")} onClick={onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </li>
  );
}

const nameOf = (side: Side): string => `${side.datasourceAlias}.${side.apiName}`;

interface SideSelectProps {
  label: string;
  autoFocus?: boolean;
  side: Side | null;
  fields: readonly DataSourceField[];
  onChange: (side: Side) => void;
}

function SideSelect({ label, autoFocus = false, side, fields, onChange }: SideSelectProps) {
  const { t } = useWords("insights");
  return (
    <Select
      aria-label={side ? `${label}: ${nameOf(side)}` : label}
      placeholder={t("editor.chooseField")}
      autoFocus={autoFocus}
      searchable
      allowDeselect={false}
      value={side && nameOf(side)}
      data={fields
        .filter((field) => !field.isMultiValueField)
        .map((field) => ({ value: field.fieldAlias, label: `${field.datasourceAlias}.${field.displayName}` }))}
      onChange={(next) => {
        const field = fields.find(({ fieldAlias }) => fieldAlias === next);
        if (field)
          onChange({ datasetId: field.datasetId, datasourceAlias: field.datasourceAlias, apiName: field.apiName });
      }}
    />
  );
}
