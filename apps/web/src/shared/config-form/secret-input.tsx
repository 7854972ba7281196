/** Write-only: a saved secret shows that it is there and can be replaced, never what it is. */
import { Field } from "@accord/ui";
import { Button, PasswordInput, Textarea } from "@mantine/core";
import { useWords } from "../../app/words.ts";
import type { ConfigInputProps, Labelled } from "./input-props.ts";

export function SecretInput({
  input,
  value,
  isConfigured,
  onChange,
  labelled,
}: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  const text = typeof value === "string" ? value : "";
  if (isConfigured && value === undefined)
    return (
      <Field label={labelled.label} help={labelled.description} problem={labelled.error} required={labelled.required}>
        {(ids) => (
          <div className="ac-config__secret">
            <span aria-hidden>••••••••</span>
            <small>{t("form.secretHint")}</small>
            <Button {...ids} size="xs" variant="default" disabled={labelled.disabled} onClick={() => onChange("")}>
              {t("form.replace")}
            </Button>
          </div>
        )}
      </Field>
    );
  return (
    <div className="ac-config__replace">
      {input.renderType === "multiline" || input.renderType === "json" ? (
        // An input of one line would take the line breaks out of a private key.
        <Textarea
          {...labelled}
          autoComplete="off"
          spellCheck={false}
          rows={4}
          classNames={{ input: "ac-config__masked" }}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          {...labelled}
          autoComplete="new-password"
          value={text}
          visibilityToggleButtonProps={{ "aria-label": t("form.set") }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {isConfigured ? (
        <Button size="xs" variant="subtle" onClick={() => onChange(undefined)}>
          {t("form.keep")}
        </Button>
      ) : null}
    </div>
  );
}
