/** Step 5 of a webhook: everything that was entered, before it is submitted. */
import { FormIntro, KeyValueList } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import type { WebhookWork } from "../use-webhook-form.ts";
import { DEFAULT_ANSWER, hasSignedTime, isBodiless, type WebhookForm } from "../webhook-form.model.ts";

const PROOFS = ["apiSecretKey", "bearerToken", "apiKey", "userPassword"] as const;

export function ReviewStep({ work: { form } }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  return (
    <>
      <FormIntro>{t("form.reviewLead")}</FormIntro>
      <ReviewFacts form={form} />
    </>
  );
}

export function ReviewFacts({ form }: { form: WebhookForm }) {
  const { t } = useWords("webhooks");
  const proof = PROOFS.find((known) => known === form.authType) ?? "apiSecretKey";
  const isSigned = proof === "apiSecretKey";
  const names = form.fields.map(({ apiName }) => apiName).join(", ");
  return (
    <KeyValueList
      facts={[
        { key: t("form.displayName"), value: form.name },
        {
          key: t("form.authentication"),
          value: isSigned ? `${t(`proofs.${proof}`)} · ${t(`senders.${form.sender}`)}` : t(`proofs.${proof}`),
        },
        isSigned &&
          form.signature !== "standard" && {
            key: t("form.signatureHeader"),
            value: <code>{form.signatureHeader}</code>,
          },
        proof === "apiKey" && { key: t("form.apiKeyHeader"), value: <code>{form.apiKeyHeader}</code> },
        hasSignedTime(form) && { key: t("form.tolerance"), value: form.toleranceSeconds },
        { key: t("form.limit"), value: form.postsPerMinute },
        {
          key: t("form.recordSelector"),
          value: form.recordSelector ? <code>{form.recordSelector}</code> : t("form.wholeOrList"),
        },
        {
          key: t("form.idSelector"),
          value: form.idSelector ? <code>{form.idSelector}</code> : t("form.fingerprint"),
        },
        {
          key: t("form.fields"),
          value: names || t(form.sample.trim() === "" ? "form.unknownYet" : "form.fromExample"),
        },
        { key: t("form.code"), value: String(form.responseCode) },
        {
          key: t("form.template"),
          value: isBodiless(form.responseCode) ? (
            t("form.noBody")
          ) : (
            <code>{form.responseTemplate.trim() === "" ? DEFAULT_ANSWER : form.responseTemplate}</code>
          ),
        },
      ]}
    />
  );
}
