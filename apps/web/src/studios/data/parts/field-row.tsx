/** One field of a record: its value, or its editor with what the server said about the entry. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { useWords } from "../../../app/words.ts";
import type { EditDraft } from "../edit-drafts.ts";
import { editText, type References } from "../value.model.ts";
import { ValueInput } from "./value-input.tsx";
import { ValueView } from "./value-view.tsx";

export interface FieldRowProps {
  field: CoreField;
  value: Value | undefined;
  references: References;
  /** At the row's end: who set the value. */
  aside?: ReactNode;
  /** Under the value: what else there is to know of it. */
  below?: ReactNode;
  /** The rest is for fields that may be edited. Present while the field is being edited. */
  draft?: EditDraft | undefined;
  editable?: boolean;
  busy?: boolean;
  onEdit?: (entry: Value) => void;
  onSave?: (entry: Value) => void;
  onCancel?: () => void;
}

export function FieldRow(props: FieldRowProps) {
  const { field, value, references, aside, below, draft, editable = false, onEdit } = props;
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The editor goes away with its focus: give it back to where it was opened.
    if (wasEditing.current && !draft) pencil.current?.focus();
    wasEditing.current = draft !== undefined;
  }, [draft]);
  const isComposite = field.isMultiValueField || field.dataType === "reference";
  const start = () => onEdit?.(isComposite ? (value ?? null) : editText(field, value));

  return (
    <div className="ac-field" data-refused={draft?.error ? true : undefined}>
      <dt>
        {field.displayName}
        {field.description ? <small>{field.description}</small> : null}
      </dt>
      <dd>
        {draft ? (
          <FieldEditor {...props} draft={draft} />
        ) : (
          <div className="ac-field__value" onDoubleClick={editable ? start : undefined}>
            <ValueView field={field} value={value} references={references} />
            {editable ? <EditButton field={field} pencil={pencil} onPress={start} /> : null}
            {aside}
          </div>
        )}
        {below}
      </dd>
    </div>
  );
}

function EditButton({
  field,
  pencil,
  onPress,
}: {
  field: CoreField;
  pencil: Ref<HTMLButtonElement>;
  onPress: () => void;
}) {
  const { t } = useWords("data");
  const label = t("record.edit", { field: field.displayName });
  return (
    <Tooltip label={label}>
      <ActionIcon ref={pencil} className="ac-field__edit" size={26} aria-label={label} onClick={onPress}>
        <IconPencil size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

function FieldEditor({
  field,
  references,
  draft,
  busy = false,
  onEdit,
  onSave,
  onCancel,
}: FieldRowProps & { draft: EditDraft }) {
  const { t } = useWords("data");
  const name = { field: field.displayName };
  return (
    <div
      className="ac-field__editor"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onCancel?.();
      }}
    >
      <ValueInput
        field={field}
        entry={draft.entry}
        onChange={(entry) => onEdit?.(entry)}
        references={references}
        error={draft.error}
        autoFocus
        disabled={busy}
        onEnter={() => onSave?.(draft.entry)}
      />
      <div className="ac-field__buttons">
        <Tooltip label={t("record.save", name)}>
          <ActionIcon
            variant="filled"
            color="brand"
            size={30}
            loading={busy}
            aria-label={t("record.save", name)}
            onClick={() => onSave?.(draft.entry)}
          >
            <IconCheck size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={draft.error ? t("record.clearError") : t("record.cancel", name)}>
          <ActionIcon variant="default" size={30} aria-label={t("record.cancel", name)} onClick={onCancel}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
}
