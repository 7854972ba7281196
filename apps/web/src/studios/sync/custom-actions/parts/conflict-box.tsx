/** Somebody else saved the action meanwhile: what differs, and the choice of one of the two versions. */
import { ErrorBox } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { differingFields, draftOf } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";

export function ConflictBox({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { newest, draft } = form;
  if (!newest) return null;
  const by = newest.updatedBy;
  const fields = differingFields(draft, draftOf(newest)).map((name) => t(`field.${name}`));
  return (
    <ErrorBox
      tone="warn"
      title={t("conflict.title", { name: by ? `${by.firstName} ${by.lastName}` : t("conflict.somebody") })}
      message={fields.length > 0 ? t("conflict.fields", { fields: fields.join(", ") }) : t("conflict.same")}
      actions={
        <Group gap={8}>
          <Button size="xs" variant="default" onClick={form.loadNewest}>
            {t("conflict.theirs")}
          </Button>
          <Button size="xs" variant="default" loading={form.isSaving} onClick={form.save}>
            {t("conflict.mine")}
          </Button>
        </Group>
      }
    />
  );
}
