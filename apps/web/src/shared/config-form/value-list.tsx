/** Several values of one kind, one under the other; a text with semicolons becomes several. */
import { Button, Input } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef, type ComponentType } from "react";
import { useWords } from "../../app/words.ts";
import { isSplit, problemOf, splitTyped } from "./config-form.model.ts";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { RowActions, useRowOrder } from "./row-actions.tsx";
import { moved } from "./row-order.model.ts";

export interface ValueListProps extends ConfigInputProps {
  values: readonly unknown[];
  labelled: Labelled;
  /** Datatype of a single value, where it isn't that of the input. */
  datatype?: string;
  /** Shows one value: the same component that shows inputs of the form. */
  Cell: ComponentType<ConfigInputProps>;
}

export function ValueList(props: ValueListProps) {
  const { values, labelled, Cell, input, onChange, datatype = input.datatype ?? "string" } = props;
  const { t } = useWords("builder");
  const one = { ...input, datatype, repeatable: false, required: false, helpText: undefined, helpSummary: undefined };
  const rows = values.length === 0 ? [""] : values;
  const list = useRef<HTMLDivElement>(null);
  const order = useRowOrder({
    list,
    count: rows.length,
    isFixed: labelled.disabled,
    onMove: (from, to) => onChange(moved(rows, from, to)),
  });
  const set = (index: number, value: unknown) => {
    if (typeof value !== "string" || !isSplit(one, value))
      return onChange(rows.map((row, at) => (at === index ? value : row)));
    const parts = splitTyped(value);
    onChange(rows.flatMap((row, at) => (at === index ? parts : [row])));
    order.focusRow(index + parts.length - 1);
  };
  const problems = rows.map((row) => problemOf(one, row));
  return (
    <Input.Wrapper
      label={labelled.label}
      description={labelled.description}
      error={problems.some(Boolean) ? undefined : labelled.error}
      required={labelled.required}
      labelElement="div"
    >
      <div className="ac-rows" data-single role="group" aria-label={labelled.label} ref={list}>
        {rows.map((row, index) => {
          const name = t("form.row", { row: index + 1 });
          const problem = problems[index];
          return (
            <div
              key={index}
              data-row
              className="ac-rows__row"
              onKeyDown={(event) => order.onKeyDown(event, index)}
              role="presentation"
            >
              <Cell
                {...props}
                input={{ ...one, label: `${labelled.label}: ${name}` }}
                value={row}
                problem={problem && t(`form.${problem}`, { label: labelled.label })}
                onChange={(value) => set(index, value)}
              />
              {labelled.disabled ? null : (
                <RowActions
                  index={index}
                  count={rows.length}
                  name={name}
                  removeLabel={t("form.removeRow", { row: index + 1 })}
                  isBlank={values.length === 0}
                  move={order.move}
                  onRemove={() => onChange(rows.filter((_, at) => at !== index))}
                />
              )}
            </div>
          );
        })}
        {labelled.disabled ? null : (
          <div>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...rows, ""])}
            >
              {t("form.addRow")}
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}
