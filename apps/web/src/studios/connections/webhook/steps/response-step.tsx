/** Step 3 of a webhook: the code and the body that a sender is answered. */
import { answerTemplateProblem, WEBHOOK_RESPONSE_CODES } from "@accord/contracts/connections/webhooks";
import { FormIntro } from "@accord/ui";
import { Code, Select, Textarea } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { WebhookWork } from "../use-webhook-form.ts";
import { DEFAULT_ANSWER, isBodiless } from "../webhook-form.model.ts";

/** Codes that were set otherwise stay to be seen. */
const codesWith = (current: number): { value: string; label: string }[] => {
  const known = WEBHOOK_RESPONSE_CODES.map(({ code, name }) => ({ value: String(code), label: `${code} ${name}` }));
  const value = String(current);
  return known.some((one) => one.value === value) ? known : [...known, { value, label: value }];
};

export function ResponseStep({ work: { form, problems, change } }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const { responseTemplate } = form;
  const answer = responseTemplate.trim() === "" ? DEFAULT_ANSWER : responseTemplate;
  const isRight = isBodiless(form.responseCode) || answerTemplateProblem(answer) === null;
  return (
    <>
      <FormIntro>{t("form.responseLead")}</FormIntro>
      <Select
        label={t("form.code")}
        allowDeselect={false}
        data={codesWith(form.responseCode)}
        value={String(form.responseCode)}
        error={problems["responseCode"]}
        onChange={(value) => value && change({ responseCode: Number(value) })}
      />
      <Textarea
        label={t("form.template")}
        description={t("form.templateHint", { countName: "{{count}}", idName: "{{id}}" })}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={responseTemplate}
        error={problems["responseTemplate"]}
        onChange={(event) => change({ responseTemplate: event.currentTarget.value })}
      />
      {isRight ? (
        <div className="ac-webhook__stack">
          <span>{t("form.preview")}</span>
          <Code block>
            {form.responseCode}{" "}
            {isBodiless(form.responseCode)
              ? t("form.noBody")
              : answer.replaceAll("{{count}}", "1").replaceAll("{{id}}", "id-of-the-post")}
          </Code>
        </div>
      ) : null}
    </>
  );
}
