/** The page of one custom action: its form, its test beside it, and where it is used. */
import { ErrorBox, PageBody, PageHeader, PageSkeleton, StatusTag } from "@accord/ui";
import { Button } from "@mantine/core";
import type { CustomAction } from "@accord/contracts/sync/actions";
import { getRouteApi, Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { QueryError, QueryView } from "../../../shared/query-view.tsx";
import { ActionIcon } from "./parts/action-icon.tsx";
import { BasicsCard } from "./parts/basics-card.tsx";
import { ConflictBox } from "./parts/conflict-box.tsx";
import { DeleteActionDialog } from "./parts/delete-action-dialog.tsx";
import { RequestCard } from "./parts/request-card.tsx";
import { SendingCard } from "./parts/sending-card.tsx";
import { UsesCard } from "./parts/uses-card.tsx";
import { VariablesCard } from "./parts/variables-card.tsx";
import { useStoredAction } from "./queries.ts";
import { TestCard } from "./test/test-card.tsx";
import { type ActionForm, useActionForm } from "./use-action-form.ts";
import "./custom-actions.css";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";

const route = getRouteApi("/signed-in/sync-studio/actions/$actionId");

export function NewActionScreen() {
  return (
    <Demand anyOf={["WRITE_STUDIO"]}>
      <ActionPage stored={undefined} />
    </Demand>
  );
}

export function ActionScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Stored />
    </Demand>
  );
}

function Stored() {
  const { t } = useWords("customActions");
  const action = useStoredAction(route.useParams().actionId);
  // Until the page knows its name.
  usePage({ title: t("title"), crumbs: [{ label: t("page.crumb"), to: "/sync-studio/actions" }] });
  return (
    <QueryView isScreen query={action} skeleton={<PageSkeleton />}>
      {(data) => <ActionPage key={data.id} stored={data} />}
    </QueryView>
  );
}

function ActionPage({ stored }: { stored: CustomAction | undefined }) {
  const { t } = useWords("customActions");
  const navigate = useNavigate();
  const { pipeline } = useSearch({ strict: false });
  const readOnly = !useCan("WRITE_STUDIO");
  const form = useActionForm({
    stored,
    readOnly,
    onCreated: ({ id: actionId }) =>
      void navigate({
        to: "/sync-studio/actions/$actionId",
        params: { actionId },
        search: pipeline ? { pipeline } : {},
        replace: true,
        ignoreBlocker: true,
      }),
  });
  useUnsavedChanges(form.isDirty && !form.isSaving);
  const title = form.base ? form.base.displayName : t("page.newTitle");
  usePage({
    title,
    crumbs: [
      { label: t("studio"), to: "/sync-studio/details" },
      { label: t("page.crumb"), to: "/sync-studio/actions" },
      { label: title },
    ],
  });
  const page = useRef<HTMLDivElement>(null);
  const save = () => {
    if (!form.save()) focusFirstProblem(page.current);
  };
  return (
    <PageBody>
      <div ref={page} className="ac-action-page">
        <Head form={form} title={title} onSave={save} />
        <ConflictBox form={form} />
        {form.failure ? <QueryError error={form.failure} /> : null}
        {readOnly ? <ErrorBox tone="info" message={t("page.readOnly")} /> : null}
        <div className="ac-action-columns">
          <div className="ac-action-stack">
            <BasicsCard form={form} />
            <RequestCard form={form} />
            <VariablesCard form={form} />
            <SendingCard form={form} />
          </div>
          <div className="ac-action-stack ac-action-stack--side">
            {readOnly ? null : <TestCard form={form} />}
            {form.base ? <UsesCard form={form} actionId={form.base.id} /> : null}
          </div>
        </div>
      </div>
    </PageBody>
  );
}

function Head({ form, title, onSave }: { form: ActionForm; title: string; onSave: () => void }) {
  const { t } = useWords("customActions");
  const navigate = useNavigate();
  const { pipeline } = useSearch({ strict: false });
  const [isRemoving, setRemoving] = useState(false);
  const { base, readOnly, isDirty, showsAll, problemCount } = form;
  return (
    <>
      <PageHeader
        icon={<ActionIcon name={form.draft.iconPath} size={20} />}
        title={title}
        tags={isDirty && base ? <StatusTag tone="warn">{t("page.unsaved")}</StatusTag> : null}
        subtitle={
          showsAll && problemCount > 0 ? (
            t("page.problems", { count: problemCount })
          ) : base ? (
            <Authors action={base} />
          ) : (
            t("lead")
          )
        }
        actions={
          <>
            {pipeline ? (
              <Button component={Link} variant="default" to={`/sync-studio/entity/${pipeline}/pipeline/draft`}>
                {t("page.backToPipeline")}
              </Button>
            ) : null}
            {base && !readOnly ? (
              <Button variant="default" color="error" onClick={() => setRemoving(true)}>
                {t("menu.delete")}
              </Button>
            ) : null}
            {readOnly ? null : (
              <Button loading={form.isSaving} disabled={base !== undefined && !isDirty} onClick={onSave}>
                {t(base ? "page.save" : "page.create")}
              </Button>
            )}
          </>
        }
      />
      <DeleteActionDialog
        action={isRemoving ? base : undefined}
        onClose={() => setRemoving(false)}
        onDeleted={() => void navigate({ to: "/sync-studio/actions", ignoreBlocker: true })}
      />
    </>
  );
}

function Authors({ action: { createdBy, updatedBy } }: { action: CustomAction }) {
  const { t } = useWords("customActions");
  const nameOf = (person: NonNullable<typeof createdBy>) => `${person.firstName} ${person.lastName}`;
  const parts = [
    ...(createdBy ? [t("page.madeBy", { name: nameOf(createdBy) })] : []),
    ...(updatedBy ? [t("page.changedBy", { name: nameOf(updatedBy) })] : []),
  ];
  return parts.join(" · ") || t("lead");
}
