/** The steps of an entity of an HTTP synapse: basic settings, configuration, review. */
import { HttpMethod } from "@accord/contracts/connections/http-entity";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { Card, ErrorBox, FormIntro, FormPair, KeyValueList } from "@accord/ui";
import { Select, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { isShown } from "../http/entity-problems.ts";
import { HttpFieldTable } from "../http/http-field-table.tsx";
import { HttpListForm } from "../http/http-list-form.tsx";
import { HttpValueForm } from "../http/http-value-form.tsx";
import { HttpWriteForm } from "../http/http-write-form.tsx";
import type { EntityWork } from "./use-synapse-entity.ts";

export function Basic({ work }: { work: EntityWork }) {
  const { t } = useWords("customSynapses", "connections");
  const { draft, setDraft, problemOf } = work;
  return (
    <div className="ac-http__form">
      <FormIntro>{t("entity.basicLead")}</FormIntro>
      <FormPair>
        <TextInput
          data-autofocus
          label={t("form.displayName")}
          required
          maxLength={120}
          value={draft.displayName}
          error={problemOf("displayName")}
          onChange={(event) => work.rename(event.currentTarget.value)}
        />
        <TextInput
          label={t("form.name")}
          required
          maxLength={100}
          value={draft.apiName}
          error={problemOf("apiName")}
          onChange={(event) => setDraft({ ...draft, apiName: event.currentTarget.value })}
        />
      </FormPair>
      <FormPair>
        <Select
          label={t("form.method")}
          allowDeselect={false}
          data={["GET", "POST"]}
          value={draft.list.method ?? "GET"}
          onChange={(value) =>
            setDraft({ ...draft, list: { ...draft.list, method: HttpMethod.catch("GET").parse(value) } })
          }
        />
        <TextInput
          label={t("connections:http.path")}
          placeholder="/companies"
          required
          value={draft.list.path}
          error={problemOf("list.path")}
          onChange={(event) => setDraft({ ...draft, list: { ...draft.list, path: event.currentTarget.value } })}
        />
      </FormPair>
      <TextInput
        label={t("connections:http.recordSelector")}
        placeholder="data.items"
        value={draft.list.recordSelector ?? ""}
        error={problemOf("list.recordSelector")}
        onChange={(event) => setDraft({ ...draft, list: { ...draft.list, recordSelector: event.currentTarget.value } })}
      />
    </div>
  );
}

export function Configuration({ synapse, work }: { synapse: HttpSynapse; work: EntityWork }) {
  const { t } = useWords("customSynapses", "connections");
  const { draft, setDraft, problemOf } = work;
  const others = Object.entries(work.shown).filter(([path]) => !isShown(draft, path));
  return (
    <div className="ac-http__form">
      <FormIntro>{t("entity.configurationLead")}</FormIntro>
      {others.length > 0 ? (
        <ErrorBox
          title={t("entity.otherProblems")}
          message={others.map(([path, message]) => (
            <div key={path}>
              {path}: {message}
            </div>
          ))}
        />
      ) : null}
      <Card title={t("connections:http.fields")} className="ac-http__stack">
        {problemOf("idField") ? <ErrorBox tone="warn" message={t("connections:http.needsId")} /> : null}
        <HttpFieldTable draft={draft} problemOf={problemOf} onChange={setDraft} />
        <HttpValueForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
      <Card title={t("connections:http.list")} className="ac-http__stack">
        <HttpListForm
          list={draft.list}
          baseUrl={synapse.endpoint}
          problemOf={problemOf}
          onChange={(list) => setDraft({ ...draft, list })}
        />
      </Card>
      <Card title={t("connections:http.writes")} className="ac-http__stack">
        <FormIntro>{t("connections:http.writesLead")}</FormIntro>
        <HttpWriteForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
    </div>
  );
}

export function Review({ work: { draft } }: { work: EntityWork }) {
  const { t } = useWords("customSynapses", "connections");
  const operations = (["list", "getById", "create", "update", "delete"] as const).filter((one) => Boolean(draft[one]));
  return (
    <div className="ac-synapse-steps">
      <FormIntro>{t("entity.reviewLead")}</FormIntro>
      <KeyValueList
        facts={[
          { key: t("form.displayName"), value: draft.displayName },
          { key: t("form.name"), value: <code>{draft.apiName}</code> },
          {
            key: t("entity.list"),
            value: (
              <code>
                {draft.list.method ?? "GET"} {draft.list.path}
              </code>
            ),
          },
          { key: t("entity.paging"), value: t(`connections:http.pagingKind.${draft.list.paging?.kind ?? "none"}`) },
          { key: t("entity.idField"), value: <code>{draft.idField}</code> },
          draft.watermarkField
            ? { key: t("entity.watermarkField"), value: <code>{draft.watermarkField}</code> }
            : false,
          {
            key: t("entity.fields"),
            value: (draft.fields ?? []).map(({ apiName }) => apiName).join(", "),
          },
          {
            key: t("entity.operations"),
            value: operations.map((operation) => t(`entity.operation.${operation}`)).join(", "),
          },
        ]}
      />
    </div>
  );
}
