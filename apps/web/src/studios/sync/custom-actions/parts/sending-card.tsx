/** How the receiver knows who calls, and how requests are sent: in batches, within a time, more than once. */
import type { ActionAuthentication } from "@accord/contracts/sync/actions";
import { Card, Field, FormPair } from "@accord/ui";
import { Button, NumberInput, PasswordInput, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { isOtherHost } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";

const TYPES = ["none", "bearer", "basic", "apiKey"] as const;

const EMPTY: { [Type in (typeof TYPES)[number]]: Extract<ActionAuthentication, { type: Type }> } = {
  none: { type: "none" },
  bearer: { type: "bearer" },
  basic: { type: "basic", userName: "" },
  apiKey: { type: "apiKey", headerName: "X-Api-Key" },
};

export function SendingCard({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  return (
    <>
      <Card title={t("sending.credential")} className="ac-action-card">
        <Credential form={form} />
      </Card>
      <Card title={t("sending.sending")} className="ac-action-card">
        <NumberInput
          label={t("field.timeoutSeconds")}
          description={t("sending.timeoutHint")}
          min={1}
          max={120}
          clampBehavior="none"
          allowDecimal={false}
          maw={220}
          readOnly={readOnly}
          value={draft.timeoutSeconds}
          error={problemOf("timeoutSeconds")}
          onChange={(value) => edit({ timeoutSeconds: Number(value) })}
        />
        <Switch
          label={t("sending.repeatable")}
          description={t("sending.repeatableHint")}
          checked={draft.repeatable}
          disabled={readOnly}
          onChange={(event) => edit({ repeatable: event.currentTarget.checked })}
        />
        <Switch
          label={t("sending.batch")}
          description={t("sending.batchHint", { open: "{{", close: "}}" })}
          checked={draft.isBatch}
          disabled={readOnly}
          onChange={(event) => edit({ isBatch: event.currentTarget.checked })}
        />
        {draft.isBatch ? (
          <NumberInput
            label={t("field.batchSize")}
            min={1}
            max={500}
            clampBehavior="none"
            allowDecimal={false}
            maw={220}
            readOnly={readOnly}
            value={draft.batchSize}
            error={problemOf("batchSize")}
            onChange={(value) => edit({ batchSize: Number(value) })}
          />
        ) : null}
      </Card>
    </>
  );
}

function Credential({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  const { authentication } = draft;
  const type = (
    <Select
      label={t("field.authentication")}
      data={TYPES.map((value) => ({ value, label: t(`sending.type_${value}`) }))}
      value={authentication.type}
      allowDeselect={false}
      readOnly={readOnly}
      onChange={(value) => edit({ authentication: EMPTY[TYPES.find((each) => each === value) ?? "none"] })}
    />
  );
  if (authentication.type === "none") return <div className="ac-action-half">{type}</div>;
  return (
    <>
      <FormPair>
        {type}
        {authentication.type === "basic" ? (
          <TextInput
            label={t("sending.userName")}
            maxLength={200}
            autoComplete="off"
            readOnly={readOnly}
            value={authentication.userName}
            error={problemOf("authentication.userName")}
            onChange={({ currentTarget: { value: userName } }) =>
              edit({ authentication: { type: "basic", userName } }, "authentication.userName")
            }
          />
        ) : null}
        {authentication.type === "apiKey" ? (
          <TextInput
            label={t("sending.headerName")}
            required
            maxLength={100}
            readOnly={readOnly}
            value={authentication.headerName}
            error={problemOf("authentication.headerName")}
            onChange={({ currentTarget: { value } }) =>
              edit({ authentication: { type: "apiKey", headerName: value.trim() } }, "authentication.headerName")
            }
          />
        ) : null}
      </FormPair>
      {readOnly ? null : <SecretInput form={form} label={t(`sending.secret_${authentication.type}`)} />}
    </>
  );
}

/** Write-only: of a stored secret only its presence is shown. */
function SecretInput({ form, label }: { form: ActionForm; label: string }) {
  const { t } = useWords("customActions");
  const { draft, edit, stored, problemOf } = form;
  const [isReplacing, setReplacing] = useState(false);
  const mustEnter = !stored.hasSecret || isOtherHost(draft, stored);
  if (!mustEnter && !isReplacing && !draft.secret)
    return (
      <Field label={label}>
        {(ids) => (
          <div className="ac-action-secret">
            <span aria-hidden>••••••••</span>
            <small>{t("sending.stored", { host: stored.origin ?? "" })}</small>
            <Button {...ids} size="xs" variant="default" onClick={() => setReplacing(true)}>
              {t("sending.replace")}
            </Button>
          </div>
        )}
      </Field>
    );
  return (
    <div className="ac-action-half">
      <PasswordInput
        label={label}
        description={t("sending.secretHint")}
        required
        maxLength={8000}
        autoComplete="new-password"
        autoFocus={isReplacing}
        value={draft.secret ?? ""}
        error={problemOf("secret")}
        onChange={(event) => edit({ secret: event.currentTarget.value || undefined })}
      />
      {mustEnter ? null : (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            setReplacing(false);
            edit({ secret: undefined });
          }}
        >
          {t("sending.keep")}
        </Button>
      )}
    </div>
  );
}
