/** Step 2 of a webhook: an example of what is posted, where its records and their ids are, and their fields. */
import { tryWebhookPayload } from "@accord/contracts/connections/webhooks";
import { FormIntro, FormPair } from "@accord/ui";
import { Button, Textarea, TextInput } from "@mantine/core";
import { ApiError, explanationOf } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { useProblemWords, type WebhookWork } from "../use-webhook-form.ts";
import { jsonProblem, serverProblems, withRead } from "../webhook-form.model.ts";
import { FieldTable, fieldType } from "./field-table.tsx";
import { ReceivedPosts } from "./received-posts.tsx";

export function PayloadStep({ work }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const { form, problems, change, connector } = work;
  return (
    <>
      <FormIntro>{t("form.payloadLead")}</FormIntro>
      <Textarea
        data-autofocus
        label={t("form.sample")}
        autosize
        minRows={5}
        maxRows={16}
        maxLength={200_000}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={form.sample}
        error={problems["sample"]}
        onChange={(event) => change({ sample: event.currentTarget.value })}
      />
      {connector ? (
        <ReceivedPosts connectorId={connector.connectorId} onTake={(sample) => change({ sample, payload: sample })} />
      ) : null}
      <FormPair>
        <TextInput
          label={t("form.recordSelector")}
          description={t("form.recordSelectorHint")}
          maxLength={500}
          value={form.recordSelector}
          error={problems["recordSelector"]}
          onChange={(event) => change({ recordSelector: event.currentTarget.value })}
        />
        <TextInput
          label={t("form.idSelector")}
          description={t("form.idSelectorHint")}
          maxLength={500}
          value={form.idSelector}
          error={problems["idSelector"]}
          onChange={(event) => change({ idSelector: event.currentTarget.value })}
        />
      </FormPair>
      <Fields work={work} />
    </>
  );
}

/** Where the records may be; an object may be one record as a whole. */
const listsOf = (found: readonly string[], sample: string): string[] =>
  found.length > 0 && !found.includes("") && sample.trim().startsWith("{") ? [...found, ""] : [...found];

function Fields({ work }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const { form, problems, change, show } = work;
  const words = useProblemWords();
  const read = useCall(tryWebhookPayload);
  const isOfExample = read.variables?.body.payload === form.sample;
  const lists = isOfExample && read.data ? listsOf(read.data.recordSelectors, form.sample) : [];
  const isAsking = lists.length > 1 && form.recordSelector === "" && form.fields.length === 0;
  const infer = async (recordSelector: string, isChosen: boolean): Promise<void> => {
    const problem = jsonProblem(form.sample, words);
    if (problem) return show({ sample: problem });
    try {
      const tried = await read.mutateAsync({ body: { config: { recordSelector }, payload: form.sample } });
      // Where the records are is asked before fields that are not theirs are filled in.
      if (!isChosen && recordSelector === "" && listsOf(tried.recordSelectors, form.sample).length > 1) return;
      if (tried.count === 0) return show({ recordSelector: t("form.noRecordAtPath") });
      if (tried.records.length === 0 && tried.inferred.length === 0)
        return show({ recordSelector: t("form.noObjectAtPath") });
      const found = tried.inferred.map(({ apiName, displayName, dataType, isMultiValueField }) => ({
        ...{ apiName, displayName, isMultiValueField },
        dataType: fieldType(dataType),
      }));
      change({ recordSelector, fields: withRead(form, found), inferred: found });
    } catch (error) {
      const problems = error instanceof ApiError ? serverProblems(error.fieldProblems) : {};
      if (problems["recordSelector"]) show({ recordSelector: problems["recordSelector"] });
    }
  };
  const isAtInput = problems["recordSelector"] !== undefined;
  return (
    <>
      <h2 className="ac-webhook__heading">{t("form.fields")}</h2>
      <FormIntro>{t("form.fieldsLead")}</FormIntro>
      <div className="ac-webhook__line">
        <Button variant="default" loading={read.isPending} onClick={() => void infer(form.recordSelector, false)}>
          {t("form.infer")}
        </Button>
        {lists.length > 0 ? (
          <>
            <span role="status">{t(isAsking ? "form.chooseList" : "form.lists")}</span>
            {lists.map((path) => (
              <Button
                key={path}
                size="compact-xs"
                variant={path === form.recordSelector ? "light" : "default"}
                onClick={() => void infer(path, true)}
              >
                {path === "" ? t("form.wholePayload") : path}
              </Button>
            ))}
          </>
        ) : null}
        {read.error && !isAtInput ? <span role="alert">{explanationOf(read.error)}</span> : null}
      </div>
      <FieldTable fields={form.fields} problems={work.problems} onChange={(fields) => change({ fields })} />
    </>
  );
}
