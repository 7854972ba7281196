/** /synapses/connections/{connectorId}/http-entity: describes one entity of a JSON API, trying it beside the form. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import { Card, EmptyState, ErrorBox, FormIntro, FormPair, PageBody, PageHeader, PageSkeleton } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useRef, useState, type RefObject } from "react";
import { usePage } from "../../app/page.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { entitiesOf, takeProposal } from "./http-entity.model.ts";
import { HttpFieldTable } from "./http/http-field-table.tsx";
import { HttpListForm } from "./http/http-list-form.tsx";
import { HttpPreview } from "./http/http-preview.tsx";
import { HttpValueForm } from "./http/http-value-form.tsx";
import { HttpWriteForm } from "./http/http-write-form.tsx";
import { NewerNotice } from "./parts/newer-notice.tsx";
import { useEntityEditor, type EntityEditor as Editor } from "./http/use-entity-editor.ts";
import { RefusalBox } from "../../shared/refusal/refusal-box.tsx";
import { asConnectorId, useConnector } from "./queries.ts";
import "./connection-screen.css";
import "./http-entity-screen.css";

const route = getRouteApi("/signed-in/synapses/connections/$connectorId/http-entity");

export function HttpEntityScreen() {
  return (
    <Demand anyOf={["WRITE_CONNECTOR"]}>
      <Loaded />
    </Demand>
  );
}

function Loaded() {
  const { t } = useWords("connections");
  const connectorId = asConnectorId(route.useParams().connectorId);
  const { name } = route.useSearch();
  const connector = useConnector(connectorId);
  const title = name ? t("http.editTitle", { name }) : t("http.title");
  usePage({
    title,
    crumbs: [
      { label: t("title"), to: "/synapses/connections" },
      { kind: "connector", id: connectorId, to: `/synapses/connections/${connectorId}` },
      { label: title },
    ],
  });
  return (
    <QueryView isScreen query={connector} skeleton={<PageSkeleton />}>
      {(data) => <Opened key={name ?? ""} connector={data} name={name} title={title} />}
    </QueryView>
  );
}

interface EntityEditorProps {
  connector: ConnectorDetail;
  name: string | undefined;
  title: string;
}

/** Once it is open, the form stays with what was typed, also when somebody deletes the entity. */
function Opened({ connector, name, title }: EntityEditorProps) {
  const { t } = useWords("connections");
  const isThere = !name || entitiesOf(connector.config).some(({ apiName }) => apiName === name);
  const [wasThere, setWasThere] = useState(isThere);
  if (isThere && !wasThere) setWasThere(true);
  if (!isThere && !wasThere) return <EmptyState title={t("http.noDescription")} />;
  return <EntityEditor connector={connector} name={name} title={title} />;
}

function EntityEditor({ connector, name, title }: EntityEditorProps) {
  const { t } = useWords("connections");
  const inputs = useRef<HTMLDivElement>(null);
  const editor = useEntityEditor(connector, name, inputs);
  const { draft, setDraft, mayEdit, saved } = editor;
  return (
    <PageBody>
      <PageHeader
        title={title}
        subtitle={t("http.lead")}
        actions={
          <>
            <Button variant="default" onClick={() => editor.back()}>
              {t("shell:action.cancel")}
            </Button>
            {saved ? (
              <Button variant="default" color="error" disabled={!mayEdit || editor.isBusy} onClick={editor.remove}>
                {t("detail.removeDescription")}
              </Button>
            ) : null}
            <Button loading={editor.isBusy} disabled={!mayEdit} onClick={editor.save}>
              {t("http.save")}
            </Button>
          </>
        }
      />
      {editor.newer ? (
        <NewerNotice
          message={t(`http.newer.${editor.newer}`)}
          {...(editor.newer === "changed" && { load: editor.load })}
          keep={editor.keep}
        />
      ) : null}
      {editor.refused ? <RefusalBox error={editor.refused} /> : null}
      {editor.otherProblems.length > 0 ? (
        <ErrorBox
          title={t("http.otherProblems")}
          message={editor.otherProblems.map(([path, message]) => (
            <div key={path}>
              {path}: {message}
            </div>
          ))}
        />
      ) : null}
      {mayEdit ? null : <ErrorBox tone="info" message={t("detail.editBlocked")} />}
      <div className="ac-http">
        <EntityForm
          key={editor.round}
          inputs={inputs}
          connector={connector}
          editor={editor}
          isNew={saved === undefined}
        />
        <HttpPreview
          connector={connector}
          draft={draft}
          onSelector={(recordSelector) => setDraft({ ...draft, list: { ...draft.list, recordSelector } })}
          onProposal={(fields, selector) => setDraft(takeProposal(draft, fields, selector))}
        />
      </div>
    </PageBody>
  );
}

interface EntityFormProps {
  inputs: RefObject<HTMLDivElement | null>;
  connector: ConnectorDetail;
  editor: Editor;
  isNew: boolean;
}

function EntityForm({ inputs, connector, editor, isNew }: EntityFormProps) {
  const { t } = useWords("connections");
  const { draft, setDraft, problemOf } = editor;
  return (
    <div className="ac-http__form" ref={inputs}>
      <Card title={t("http.basics")}>
        <FormPair>
          <TextInput
            data-autofocus
            label={t("http.displayName")}
            required
            maxLength={120}
            value={draft.displayName}
            error={problemOf("displayName")}
            onChange={(event) => editor.rename(event.currentTarget.value)}
          />
          <TextInput
            label={t("http.apiName")}
            required
            maxLength={100}
            disabled={!isNew}
            value={draft.apiName}
            error={problemOf("apiName")}
            onChange={(event) => setDraft({ ...draft, apiName: event.currentTarget.value })}
          />
        </FormPair>
      </Card>
      <Card title={t("http.list")} className="ac-http__stack">
        <HttpListForm
          list={draft.list}
          baseUrl={String(connector.config["baseUrl"] ?? "")}
          problemOf={problemOf}
          onChange={(list) => setDraft({ ...draft, list })}
        />
      </Card>
      <Card title={t("http.fields")} className="ac-http__stack">
        <FormIntro>{t("http.fieldsLead")}</FormIntro>
        {problemOf("idField") ? <ErrorBox tone="warn" message={t("http.needsId")} /> : null}
        <HttpFieldTable draft={draft} problemOf={problemOf} onChange={setDraft} />
        <HttpValueForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
      <Card title={t("http.writes")} className="ac-http__stack">
        <FormIntro>{t("http.writesLead")}</FormIntro>
        <HttpWriteForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
    </div>
  );
}
