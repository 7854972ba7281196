/** Lists of inputs that grow line by line: headers, and the variables of an HTTP synapse. */
import type { SynapseVariable } from "@accord/contracts/connections/http-synapse-definition";
import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { NEW_VARIABLE, type SynapseForm } from "./synapse-form.model.ts";

interface RowsProps<Row> {
  rows: readonly Row[];
  /** By path within the list: `0.name`. */
  problems: Readonly<Record<string, string>>;
  readOnly: boolean;
  onChange: (rows: Row[]) => void;
}

type Header = SynapseForm["headers"][number];

export function HeaderRows({ rows, problems, readOnly, onChange }: RowsProps<Header>) {
  const { t } = useWords("customSynapses");
  const put = (at: number, part: Partial<Header>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div className="ac-synapse-rows">
      {rows.map((row, at) => (
        <div key={at} className="ac-synapse-rows__row" data-kind="header">
          <TextInput
            aria-label={`${t("form.headerName")} ${at + 1}`}
            placeholder={t("form.headerName")}
            maxLength={100}
            readOnly={readOnly}
            value={row.name}
            error={problems[`${at}.name`]}
            onChange={(event) => put(at, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${t("form.headerValue")} ${at + 1}`}
            placeholder={t("form.headerValue")}
            maxLength={4000}
            readOnly={readOnly}
            value={row.value}
            error={problems[`${at}.value`]}
            onChange={(event) => put(at, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            size={30}
            disabled={readOnly}
            aria-label={t("form.removeHeader", { name: row.name || String(at + 1) })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <AddButton
        label={t("form.addHeader")}
        disabled={readOnly}
        onClick={() => onChange([...rows, { name: "", value: "" }])}
      />
    </div>
  );
}

export function VariableRows({ rows, problems, readOnly, onChange }: RowsProps<SynapseVariable>) {
  const { t } = useWords("customSynapses");
  const put = (at: number, part: Partial<SynapseVariable>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div className="ac-synapse-rows">
      {rows.map((row, at) => (
        <div key={at} className="ac-synapse-rows__row" data-kind="variable">
          <TextInput
            aria-label={`${t("form.variableName")} ${at + 1}`}
            placeholder={t("form.variableName")}
            maxLength={60}
            readOnly={readOnly}
            value={row.name}
            error={problems[`${at}.name`]}
            onChange={(event) => put(at, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${t("form.variableLabel")} ${at + 1}`}
            placeholder={t("form.variableLabel")}
            maxLength={120}
            readOnly={readOnly}
            value={row.displayName}
            onChange={(event) => put(at, { displayName: event.currentTarget.value })}
          />
          <Checkbox
            label={t("form.required")}
            aria-label={`${t("form.required")} ${at + 1}`}
            disabled={readOnly}
            checked={row.required}
            onChange={(event) => put(at, { required: event.currentTarget.checked })}
          />
          <Checkbox
            label={t("form.multivalued")}
            aria-label={`${t("form.multivalued")} ${at + 1}`}
            disabled={readOnly}
            checked={row.multivalued}
            onChange={(event) => put(at, { multivalued: event.currentTarget.checked })}
          />
          <ActionIcon
            variant="subtle"
            size={30}
            disabled={readOnly}
            aria-label={t("form.removeVariable", { name: row.name || String(at + 1) })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <AddButton
        label={t("form.addVariable")}
        disabled={readOnly}
        onClick={() => onChange([...rows, { ...NEW_VARIABLE }])}
      />
    </div>
  );
}

const AddButton = ({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) => (
  <div>
    <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  </div>
);
