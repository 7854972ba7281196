/** Step 1 of a webhook: what it is called, and how senders prove who they are. */
import {
  WEBHOOK_ENCODINGS,
  WEBHOOK_HASHES,
  WEBHOOK_SENDERS,
  type WebhookSender,
} from "@accord/contracts/connections/webhook-signing";
import { WEBHOOK_ICONS } from "@accord/contracts/connections/webhooks";
import { CopyableId, FormIntro, FormPair, FormSkeleton } from "@accord/ui";
import { Button, Select, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useConnectorTypes } from "../../queries.ts";
import type { WebhookWork } from "../use-webhook-form.ts";
import { hasSignedTime, signingOf } from "../webhook-form.model.ts";

export function ConfigureStep({ work }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const { form, problems, change } = work;
  return (
    <>
      <FormIntro>{t("form.configureLead")}</FormIntro>
      <TextInput
        data-autofocus
        label={t("form.displayName")}
        required
        maxLength={120}
        value={form.name}
        error={problems["name"]}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <IconChoice work={work} />
      <h2 className="ac-webhook__heading">{t("form.authentication")}</h2>
      <Proof work={work} />
      <TextInput
        label={t("form.limit")}
        description={t("form.limitHint")}
        inputMode="numeric"
        value={form.postsPerMinute}
        error={problems["postsPerMinute"]}
        onChange={(event) => change({ postsPerMinute: event.currentTarget.value })}
      />
    </>
  );
}

function IconChoice({ work: { form, change } }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  return (
    <fieldset className="ac-webhook__icons">
      <legend>{t("form.icon")}</legend>
      {WEBHOOK_ICONS.map((icon) => (
        <label key={icon} title={t(`form.icons.${icon}`)}>
          <input
            type="radio"
            name="icon"
            value={icon}
            aria-label={t(`form.icons.${icon}`)}
            checked={form.icon === icon}
            onChange={() => change({ icon })}
          />
          <ConnectorIcon icon={icon} color="teal" />
        </label>
      ))}
    </fieldset>
  );
}

function Proof({ work }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const types = useConnectorTypes();
  const { form, connector, change } = work;
  const made = form.generated;
  const kept = connector && form.authType === connector.authType ? connector.credentialFields : [];
  const stored = kept.filter((name) => made === undefined || form.credentials[name] !== made);
  const credentialProblems = Object.fromEntries(
    Object.entries(work.problems).flatMap(([path, message]) => {
      const [head, name] = path.split(".");
      return head === "credentials" && name ? [[name, message]] : [];
    }),
  );
  return (
    <QueryView query={types} skeleton={<FormSkeleton fields={2} />}>
      {({ types: all }) => {
        const type = all.find(({ id }) => id === "webhook");
        if (!type) return null;
        return (
          <>
            <SignInForm
              // The form keeps what was typed in it: a generated secret begins it anew.
              key={made}
              label={t("form.method")}
              type={type}
              authType={form.authType}
              config={{}}
              credentials={form.credentials}
              stored={stored}
              problems={credentialProblems}
              showAll={work.showAll}
              readOnly={!work.isEditable}
              onAuthType={(authType) => change({ authType, credentials: {} })}
              onCredentials={(credentials) => change({ credentials })}
              onErrors={work.setCredentialErrors}
            />
            <Generate work={work} />
            {form.authType === "apiSecretKey" ? <Signing work={work} /> : null}
            {form.authType === "apiKey" ? (
              <TextInput
                label={t("form.apiKeyHeader")}
                required
                maxLength={100}
                value={form.apiKeyHeader}
                error={work.problems["apiKeyHeader"]}
                onChange={(event) => change({ apiKeyHeader: event.currentTarget.value })}
              />
            ) : null}
          </>
        );
      }}
    </QueryView>
  );
}

const SECRET_OF: Readonly<Record<string, string>> = { apiSecretKey: "secret", bearerToken: "token", apiKey: "key" };
const SECRET_BYTES = 32;

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** As Standard Webhooks writes a key: every library of a sender takes it for these bytes. */
const standardSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`;

/** Shown until the form is submitted: the sender needs it, and afterwards nobody sees it. */
function Generate({ work: { form, change } }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const name = SECRET_OF[form.authType];
  if (!name) return null;
  const generate = (): void => {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const isKey = form.authType === "apiSecretKey" && form.signature === "standard";
    const secret = isKey ? standardSecret(bytes) : hexOf(bytes);
    change({ credentials: { ...form.credentials, [name]: secret }, generated: secret });
  };
  const made = form.generated;
  const isShown = made !== undefined && form.credentials[name] === made;
  return (
    <div className="ac-webhook__line" aria-live="polite">
      <Button size="xs" variant="default" onClick={generate}>
        {t("form.generate")}
      </Button>
      {isShown ? (
        <>
          <span>{t("form.generated")}</span>
          <CopyableId id={made} />
        </>
      ) : null}
    </div>
  );
}

const SENDERS = Object.keys(WEBHOOK_SENDERS).filter((name): name is WebhookSender => name in WEBHOOK_SENDERS);

function Signing({ work: { form, problems, change } }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const senders = [...SENDERS, "other"] as const;
  return (
    <>
      <Select
        label={t("form.sender")}
        description={t("form.senderHint")}
        allowDeselect={false}
        data={senders.map((value) => ({ value, label: t(`senders.${value}`) }))}
        value={form.sender}
        onChange={(value) => {
          const sender = senders.find((known) => known === value);
          if (sender) change({ sender, ...signingOf(sender) });
        }}
      />
      {form.signature === "standard" ? null : (
        <TextInput
          label={t("form.signatureHeader")}
          required
          maxLength={100}
          readOnly={form.sender !== "other"}
          value={form.signatureHeader}
          error={problems["signatureHeader"]}
          onChange={(event) => change({ signatureHeader: event.currentTarget.value })}
        />
      )}
      {form.sender === "other" ? (
        <FormPair>
          <Select
            label={t("form.hash")}
            allowDeselect={false}
            data={WEBHOOK_HASHES.map((value) => ({ value, label: value.toUpperCase() }))}
            value={form.signatureHash}
            onChange={(value) => {
              const signatureHash = WEBHOOK_HASHES.find((known) => known === value);
              if (signatureHash) change({ signatureHash });
            }}
          />
          <Select
            label={t("form.encoding")}
            allowDeselect={false}
            data={WEBHOOK_ENCODINGS.map((value) => ({ value, label: t(`form.encodings.${value}`) }))}
            value={form.signatureEncoding}
            onChange={(value) => {
              const signatureEncoding = WEBHOOK_ENCODINGS.find((known) => known === value);
              if (signatureEncoding) change({ signatureEncoding });
            }}
          />
        </FormPair>
      ) : null}
      {hasSignedTime(form) ? (
        <TextInput
          label={t("form.tolerance")}
          inputMode="numeric"
          value={form.toleranceSeconds}
          error={problems["toleranceSeconds"]}
          onChange={(event) => change({ toleranceSeconds: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}
