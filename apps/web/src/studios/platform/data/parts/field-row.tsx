/** One field of a record: its value, or its editor with what the server said about the entry. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useWords } from "../../../../app/words.ts";
import type { EditDraft } from "../edit-drafts.ts";
import { editText, type References } from "../value.model.ts";
import { ValueInput } from "./value-input.tsx";
import { ValueView } from "./value-view.tsx";

export interface FieldRowProps {
  field: CoreField;
  value: Value | undefined;
  references: References;
  /** Present while the field is being edited. */
  draft: EditDraft | undefined;
  editable: boolean;
  busy: boolean;
  onEdit: (entry: Value) => void;
  onSave: (entry: Value) => void;
  onCancel: () => void;
}

export function FieldRow({ field, value, references, draft, editable, busy, onEdit, onSave, onCancel }: FieldRowProps) {
  const { t } = useWords("data");
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The editor goes away with its focus: give it back to where it was opened.
    if (wasEditing.current && !draft) pencil.current?.focus();
    wasEditing.current = draft !== undefined;
  }, [draft]);
  const isComposite = field.isMultiValueField || field.dataType === "reference";
  const start = () => onEdit(isComposite ? (value ?? null) : editText(field, value));

  return (
    <div className="ac-field" data-refused={draft?.error ? true : undefined}>
      <dt>
        {field.displayName}
        {field.description ? <small>{field.description}</small> : null}
      </dt>
      <dd>
        {draft ? (
          <div
            className="ac-field__editor"
            onKeyDown={(event) => {
              if (event.key !== "Escape" || event.defaultPrevented) return;
              event.stopPropagation();
              onCancel();
            }}
          >
            <ValueInput
              field={field}
              entry={draft.entry}
              onChange={onEdit}
              references={references}
              error={draft.error}
              autoFocus
              disabled={busy}
              onEnter={() => onSave(draft.entry)}
            />
            <div className="ac-field__buttons">
              <Tooltip label={t("record.save", { field: field.displayName })}>
                <ActionIcon
                  variant="filled"
                  color="brand"
                  size={30}
                  loading={busy}
                  aria-label={t("record.save", { field: field.displayName })}
                  onClick={() => onSave(draft.entry)}
                >
                  <IconCheck size={16} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={draft.error ? t("record.clearError") : t("record.cancel", { field: field.displayName })}>
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={t("record.cancel", { field: field.displayName })}
                  onClick={onCancel}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Tooltip>
            </div>
          </div>
        ) : (
          <div className="ac-field__value" onDoubleClick={editable ? start : undefined}>
            <ValueView field={field} value={value} references={references} />
            {editable ? (
              <Tooltip label={t("record.edit", { field: field.displayName })}>
                <ActionIcon
                  ref={pencil}
                  className="ac-field__edit"
                  size={26}
                  aria-label={t("record.edit", { field: field.displayName })}
                  onClick={start}
                >
                  <IconPencil size={15} />
                </ActionIcon>
              </Tooltip>
            ) : null}
          </div>
        )}
      </dd>
    </div>
  );
}
