/** What an action is called and how people find and understand it. */
import { Card, Field, FormPair } from "@accord/ui";
import { TagsInput, Textarea, TextInput, Tooltip } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { ActionForm } from "../use-action-form.ts";
import { ActionIcon, ICON_NAMES } from "./action-icon.tsx";

/** So that inputs side by side stand in one line. */
const WRAPPER_ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

export function BasicsCard({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  return (
    <Card title={t("basics")} className="ac-action-card">
      <Names form={form} />
      <LongText form={form} name="description" />
      <IconChoice form={form} />
      <FormPair>
        <LongText form={form} name="basicHelpText" />
        <TextInput
          label={t("field.helpLink")}
          placeholder="https://…"
          inputMode="url"
          maxLength={500}
          readOnly={readOnly}
          value={draft.helpLink}
          error={problemOf("helpLink")}
          onChange={(event) => edit({ helpLink: event.currentTarget.value.trim() })}
        />
      </FormPair>
      <TagsInput
        label={t("field.tags")}
        placeholder={readOnly ? "" : t("field.tagsHint")}
        maxTags={20}
        acceptValueOnBlur
        readOnly={readOnly}
        value={draft.tags}
        error={problemOf("tags")}
        onChange={(tags) => edit({ tags })}
      />
    </Card>
  );
}

function Names({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  return (
    <FormPair>
      <TextInput
        autoFocus={form.base === undefined}
        label={t("field.displayName")}
        required
        maxLength={120}
        readOnly={readOnly}
        value={draft.displayName}
        error={problemOf("displayName")}
        onChange={(event) => form.rename(event.currentTarget.value)}
      />
      <TextInput
        label={t("field.apiName")}
        description={t("field.apiNameHint")}
        inputWrapperOrder={WRAPPER_ORDER}
        required
        maxLength={80}
        readOnly={readOnly}
        value={draft.apiName}
        error={problemOf("apiName")}
        onChange={(event) => edit({ apiName: event.currentTarget.value })}
      />
    </FormPair>
  );
}

function LongText({ form, name }: { form: ActionForm; name: "description" | "basicHelpText" }) {
  const { t } = useWords("customActions");
  return (
    <Textarea
      label={t(`field.${name}`)}
      description={t(`field.${name}Hint`)}
      inputWrapperOrder={WRAPPER_ORDER}
      autosize
      minRows={1}
      maxRows={4}
      maxLength={1000}
      readOnly={form.readOnly}
      value={form.draft[name]}
      error={form.problemOf(name)}
      onChange={(event) => form.edit({ [name]: event.currentTarget.value }, name)}
    />
  );
}

function IconChoice({ form: { draft, edit, readOnly } }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  return (
    <Field label={t("field.iconPath")}>
      {({ id }) => (
        <div id={id} className="ac-action-icons" role="radiogroup" aria-label={t("field.iconPath")}>
          {ICON_NAMES.map((name) => (
            <Tooltip key={name} label={name}>
              <label data-chosen={draft.iconPath === name || undefined}>
                <input
                  type="radio"
                  name="action-icon"
                  aria-label={name}
                  checked={draft.iconPath === name}
                  disabled={readOnly}
                  onChange={() => edit({ iconPath: name })}
                />
                <ActionIcon name={name} size={17} />
              </label>
            </Tooltip>
          ))}
        </div>
      )}
    </Field>
  );
}
