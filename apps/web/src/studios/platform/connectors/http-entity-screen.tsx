/** /synapses/connections/{connectorId}/http-entity: describes one entity of a JSON API, trying it beside the form. */
import {
  activateConnector,
  isConnectorActionAllowed,
  updateConnector,
  type ConnectorDetail,
} from "@accord/contracts/connections/connectors";
import { Card, EmptyState, ErrorBox, FormIntro, FormPair, PageBody, PageHeader, PageSkeleton } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import {
  apiNameFrom,
  draftProblems,
  entitiesOf,
  NEW_ENTITY,
  takeProposal,
  withEntity,
  withoutEntity,
  type EntityDraft,
} from "./http-entity.model.ts";
import { HttpFieldTable } from "./parts/http-field-table.tsx";
import { HttpListForm } from "./parts/http-list-form.tsx";
import { HttpPreview } from "./parts/http-preview.tsx";
import { HttpValueForm } from "./parts/http-value-form.tsx";
import { HttpWriteForm } from "./parts/http-write-form.tsx";
import { RefusalBox } from "./parts/refusal-box.tsx";
import { asConnectorId, CONNECTOR_READS, useConnector } from "./queries.ts";
import "./connection-screen.css";
import "./http-entity-screen.css";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";

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
      {(data) => {
        const saved = entitiesOf(data.config).find(({ apiName }) => apiName === name);
        if (name && !saved) return <EmptyState title={t("http.noDescription")} />;
        return <EntityEditor key={name ?? ""} connector={data} saved={saved} title={title} />;
      }}
    </QueryView>
  );
}

interface EntityEditorProps {
  connector: ConnectorDetail;
  saved: EntityDraft | undefined;
  title: string;
}

function EntityEditor({ connector, saved, title }: EntityEditorProps) {
  const { t } = useWords("connections");
  const editor = useEntityEditor(connector, saved);
  const { draft, setDraft, mayEdit } = editor;
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
              <Button variant="default" color="error" disabled={!mayEdit} onClick={editor.remove}>
                {t("detail.removeDescription")}
              </Button>
            ) : null}
            <Button loading={editor.isBusy} disabled={!mayEdit} onClick={editor.save}>
              {t("http.save")}
            </Button>
          </>
        }
      />
      {editor.refused ? <RefusalBox error={editor.refused} /> : null}
      {mayEdit ? null : <ErrorBox tone="info" message={t("detail.editBlocked")} />}
      <div className="ac-http">
        <EntityForm connector={connector} editor={editor} isNew={saved === undefined} />
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

type Editor = ReturnType<typeof useEntityEditor>;

/** The description being edited, and how it is stored among the connection's others. */
function useEntityEditor(connector: ConnectorDetail, saved: EntityDraft | undefined) {
  const { t } = useWords("connections");
  const leave = useNavigate();
  const [draft, setDraft] = useState<EntityDraft>(saved ?? NEW_ENTITY);
  useUnsavedChanges(useIsChanged(draft));
  const [showAll, setShowAll] = useState(false);
  const others = entitiesOf(connector.config).flatMap(({ apiName }) => (apiName === saved?.apiName ? [] : [apiName]));
  const problems = draftProblems(draft, others);
  const update = useCall(updateConnector, { refreshes: [...CONNECTOR_READS] });
  const activate = useCall(activateConnector, { refreshes: [...CONNECTOR_READS], onError: (e) => toast.failed(e) });
  const params = { connectorId: connector.connectorId };
  const back = (ignoreBlocker = false) =>
    void leave({ to: "/synapses/connections/$connectorId", params, ignoreBlocker });

  const store = async (config: ConnectorDetail["config"], said: string) => {
    await update.mutateAsync({ params, body: { version: connector.version, config } });
    toast.success(said);
    // The first entity makes a new connection complete.
    if (connector.status !== "ACTIVE") await activate.mutateAsync({ params });
    back(true);
  };
  return {
    draft,
    setDraft,
    back,
    refused: update.error,
    isBusy: update.isPending,
    mayEdit: isConnectorActionAllowed(connector, "edit"),
    problemOf: (path: string) => (showAll ? problems[path] : undefined),
    rename(displayName: string) {
      const isOwnName = saved !== undefined || draft.apiName !== apiNameFrom(draft.displayName);
      setDraft({ ...draft, displayName, apiName: isOwnName ? draft.apiName : apiNameFrom(displayName) });
    },
    save() {
      setShowAll(true);
      if (Object.keys(problems).length > 0) return;
      const config = withEntity(connector.config, draft, saved?.apiName);
      void store(config, t("http.saved", { name: draft.displayName })).catch(() => {});
    },
    remove() {
      if (saved) void store(withoutEntity(connector.config, saved.apiName), t("done.saved")).catch(() => {});
    },
  };
}

interface EntityFormProps {
  connector: ConnectorDetail;
  editor: Editor;
  isNew: boolean;
}

function EntityForm({ connector, editor, isNew }: EntityFormProps) {
  const { t } = useWords("connections");
  const { draft, setDraft, problemOf } = editor;
  return (
    <div className="ac-http__form">
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
        <HttpFieldTable draft={draft} onChange={setDraft} />
        <HttpValueForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
      <Card title={t("http.writes")} className="ac-http__stack">
        <FormIntro>{t("http.writesLead")}</FormIntro>
        <HttpWriteForm draft={draft} problemOf={problemOf} onChange={setDraft} />
      </Card>
    </div>
  );
}
