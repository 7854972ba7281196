/** Rows of small objects: a translation table (from, to), or the columns that a field set defines. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { Button, Input } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef, type ComponentType } from "react";
import { useWords } from "../../app/words.ts";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { problemOf } from "./config-form.model.ts";
import { isCredentialHeader } from "./credential-header.ts";
import { RowActions, useRowOrder } from "./row-actions.tsx";
import { moved } from "./row-order.model.ts";
import { rowColumns } from "./row-columns.ts";

type Row = Readonly<Record<string, unknown>>;

const asRows = (value: unknown): readonly Row[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).filter(
    (row): row is Row => typeof row === "object" && row !== null,
  );

export interface RowListProps extends ConfigInputProps {
  columns: readonly InputDefinition[];
  labelled: Labelled;
  /** Shows one cell: the same component that shows inputs of the form. */
  Cell: ComponentType<ConfigInputProps>;
}

export function RowList(props: RowListProps) {
  const { input, labelled, onChange, Cell, columns: _columns, labelled: _labelled, ...cellProps } = props;
  const { t } = useWords("builder");
  const words = {
    from: t("form.from"),
    to: t("form.to"),
    name: t("form.rowName"),
    value: t("form.rowValue"),
    field: t("form.rowField"),
  };
  const columns = props.columns.length > 0 ? props.columns : rowColumns(input, words, props.fields);
  const isList = input.repeatable === true || input.renderType === "pairs";
  const rows = asRows(props.value);
  const shown = rows.length > 0 ? rows : [{}];
  /** An empty cell of a row being written is no problem yet; the row as a whole is checked when it is saved. */
  const problemIn = (column: InputDefinition, row: Row) => {
    const code = problemOf({ ...column, required: false }, row[column.name]);
    return code && t(`form.${code}`, { label: column.label });
  };
  const store = (next: readonly Row[]) => onChange(isList ? next : (next[0] ?? {}));
  const list = useRef<HTMLDivElement>(null);
  const order = useRowOrder({
    list,
    count: shown.length,
    isFixed: labelled.disabled || !isList,
    onMove: (from, to) => store(moved(shown, from, to)),
  });
  return (
    <Input.Wrapper
      label={labelled.label}
      description={labelled.description}
      error={labelled.error}
      required={labelled.required}
      labelElement="div"
    >
      <div className="ac-rows" role="group" aria-label={labelled.label} ref={list}>
        {shown.map((row, index) => (
          <div
            key={index}
            data-row
            className="ac-rows__row"
            role="group"
            aria-label={t("form.row", { row: index + 1 })}
            onKeyDown={(event) => order.onKeyDown(event, index)}
          >
            <div className="ac-rows__cells">
              {columns.map((column) => (
                <Cell
                  {...cellProps}
                  key={column.name}
                  input={column}
                  value={row[column.name]}
                  problem={problemIn(column, row)}
                  isConfigured={false}
                  onChange={(value) =>
                    store(shown.map((each, at) => (at === index ? { ...each, [column.name]: value } : each)))
                  }
                />
              ))}
            </div>
            {labelled.disabled || !isList ? null : (
              <RowActions
                index={index}
                count={shown.length}
                name={t("form.row", { row: index + 1 })}
                removeLabel={t("form.removeRow", { row: index + 1 })}
                isBlank={rows.length === 0}
                move={order.move}
                onRemove={() => store(rows.filter((_, at) => at !== index))}
              />
            )}
          </div>
        ))}
        {input.renderType === "headers" && rows.some((row) => isCredentialHeader(row["name"])) ? (
          <Input.Description role="note">{t("form.credentialHeader")}</Input.Description>
        ) : null}
        {labelled.disabled || !isList ? null : (
          <div>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() => store([...shown, {}])}
            >
              {t("form.addRow")}
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}
