/** The request itself: method, address, headers and body, with variables in them. */
import { ACTION_METHODS } from "@accord/contracts/sync/actions";
import { Card, Field, FormIntro } from "@accord/ui";
import { ActionIcon as IconButton, Button, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { BATCH_RECORDS } from "@accord/sync-engine/actions";
import { useWords } from "../../../../app/words.ts";
import { NEW_VARIABLE } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";
import { VariableText } from "./variable-text.tsx";

const BRACES = { open: "{{", close: "}}" };

export function RequestCard({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  const variables = namesOf(form);
  const isGet = draft.method === "GET";
  return (
    <Card title={t("request.title")} className="ac-action-card">
      <div className="ac-action-address">
        <Select
          label={t("field.method")}
          data={[...ACTION_METHODS]}
          value={draft.method}
          allowDeselect={false}
          readOnly={readOnly}
          onChange={(method) => edit({ method: ACTION_METHODS.find((each) => each === method) ?? draft.method })}
        />
        <VariableText
          label={t("field.endpoint")}
          shownLabel={t("field.endpoint")}
          description={t("field.endpointHint", BRACES)}
          required
          readOnly={readOnly}
          placeholder="https://api.example.com/customers/{{id}}"
          value={draft.endpoint}
          error={problemOf("endpoint")}
          variables={variables}
          onAddVariable={(name) => addVariable(form, name)}
          onChange={(endpoint) => edit({ endpoint })}
        />
      </div>
      <Headers form={form} />
      {isGet ? (
        <FormIntro>{t("field.bodyGet")}</FormIntro>
      ) : (
        <VariableText
          multiline
          label={t("field.body")}
          shownLabel={t("field.body")}
          description={t("field.bodyHint", BRACES)}
          readOnly={readOnly}
          placeholder={'{"name": "{{name}}", "amount": {{amount}}}'}
          value={draft.body}
          error={problemOf("body")}
          variables={draft.isBatch ? [...variables, BATCH_RECORDS] : variables}
          onAddVariable={(name) => addVariable(form, name)}
          onChange={(body) => edit({ body })}
        />
      )}
    </Card>
  );
}

const namesOf = ({ draft }: ActionForm): string[] => draft.variables.map(({ name }) => name).filter(Boolean);

/** One that was named in a text. The text that names it is changed in the same turn. */
const addVariable = ({ draft, edit }: ActionForm, name: string): void =>
  edit({ variables: [...draft.variables, { ...NEW_VARIABLE, name }] });

function Headers({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  const { headers } = draft;
  const set = (index: number, part: Partial<(typeof headers)[number]>, path: string) => {
    const header = headers[index];
    if (header) edit({ headers: headers.with(index, { ...header, ...part }) }, path);
  };
  return (
    <Field label={t("field.headers")} help={t("request.headersLead")}>
      {({ id }) => (
        <div id={id} className="ac-action-rows" role="group" aria-label={t("field.headers")}>
          {headers.map(({ name, value }, index) => (
            <div key={index} className="ac-action-header">
              <TextInput
                aria-label={t("request.headerName", { row: index + 1 })}
                placeholder={t("request.name")}
                readOnly={readOnly}
                value={name}
                error={problemOf(`headers.${index}.name`)}
                onChange={(event) => set(index, { name: event.currentTarget.value.trim() }, `headers.${index}.name`)}
              />
              <VariableText
                label={t("request.headerValue", { row: index + 1 })}
                placeholder={t("request.value")}
                readOnly={readOnly}
                value={value}
                error={problemOf(`headers.${index}.value`)}
                variables={namesOf(form)}
                onAddVariable={(added) => addVariable(form, added)}
                onChange={(text) => set(index, { value: text }, `headers.${index}.value`)}
              />
              {readOnly ? null : (
                <IconButton
                  aria-label={t("request.removeHeader", { row: index + 1 })}
                  onClick={() => edit({ headers: headers.toSpliced(index, 1) })}
                >
                  <IconTrash size={15} />
                </IconButton>
              )}
            </div>
          ))}
          {readOnly ? null : (
            <div>
              <Button
                size="xs"
                variant="subtle"
                leftSection={<IconPlus size={14} />}
                onClick={() => edit({ headers: [...headers, { name: "", value: "" }] })}
              >
                {t("request.addHeader")}
              </Button>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
