/** The list of allowed domains: what stands on it, who is outside it, adding and removing. */
import {
  createAllowedDomains,
  deleteAllowedDomain,
  listAllowedDomains,
  listDomainsInUse,
  listSharedItems,
  type AllowedDomain,
} from "@accord/contracts/insights/allowed-domains";
import { readDomain } from "@accord/contracts/insights/mail-domains";
import { Card, ErrorBox, FormSkeleton, RelativeTime } from "@accord/ui";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { reasonOf } from "../../../../app/api-error.ts";
import { useCall, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { focusFirstProblem } from "../../../../shared/first-problem.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

export const REFRESHES = [listAllowedDomains, listDomainsInUse, listSharedItems];

export function AllowedDomains() {
  const { t } = useWords("insights");
  const mayChange = useCan("CREATE_ALLOWED_DOMAINS");
  const [removed, setRemoved] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Card title={t("domains.allowed")}>
      <QueryView query={useEndpoint(listAllowedDomains)} skeleton={<FormSkeleton fields={2} />}>
        {({ domains }) => (
          <div className="ac-form">
            {domains.length === 0 ? (
              <p className="ac-form__lead">
                <strong>{t("domains.none")}.</strong> {t("domains.noneBody")}
              </p>
            ) : (
              <>
                <p className="ac-form__lead">{t("domains.allowedBody")}</p>
                <PeopleOutside />
                <ul className="ac-domains" aria-label={t("domains.allowed")}>
                  {domains.map((one) => (
                    <DomainItem key={one.domain} item={one} onRemove={mayChange ? setRemoved : undefined} />
                  ))}
                </ul>
              </>
            )}
            {mayChange ? <AddDomains input={input} /> : null}
            {removed === null ? null : (
              <RemoveDomain
                domain={removed}
                isLast={domains.length === 1}
                onClose={() => {
                  setRemoved(null);
                  // The button that opened the dialog may be gone.
                  input.current?.focus();
                }}
              />
            )}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function DomainItem({ item, onRemove }: { item: AllowedDomain; onRemove: ((domain: string) => void) | undefined }) {
  const { t } = useWords("insights");
  const { domain, createdBy, createdAt } = item;
  return (
    <li>
      <strong>{domain}</strong>
      <span className="ac-quiet">
        {t("domains.addedBy", { name: createdBy })} · <RelativeTime at={createdAt} />
      </span>
      {onRemove ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("domains.remove", { domain })}
          onClick={() => onRemove(domain)}
        >
          <IconX size={15} />
        </ActionIcon>
      ) : null}
    </li>
  );
}

function PeopleOutside() {
  const { t } = useWords("insights");
  const seesThem = useCan("READ_ALL_SHARED_DASHBOARDS");
  const count = useEndpoint(listDomainsInUse).data?.peopleOutside ?? 0;
  if (count === 0) return null;
  return (
    <ErrorBox
      tone="warn"
      title={t("domains.outside", { count })}
      message={t("domains.outsideBody")}
      actions={
        seesThem ? (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => (
              <Link {...props} to="/insights-studio/sharing" search={{ outside: true }} hash="access" />
            )}
          >
            {t("domains.outsideShow")}
          </Button>
        ) : null
      }
    />
  );
}

function AddDomains({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const { t } = useWords("insights");
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useUnsavedChanges(typed.trim() !== "");
  const add = useCall(createAllowedDomains, {
    refreshes: REFRESHES,
    onSuccess: () => setTyped(""),
    onError: (error) => {
      setProblem(reasonOf(error));
      focusFirstProblem(form.current);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = typed.split(/[\s,;]+/).flatMap((text) => (text === "" ? [] : [readDomain(text)]));
    const problems = read.flatMap((one) => ("problem" in one ? [`${one.problem}.`] : []));
    setProblem(read.length === 0 ? t("domains.addEmpty") : problems.length > 0 ? problems.join(" ") : undefined);
    if (read.length === 0 || problems.length > 0) return focusFirstProblem(form.current);
    add.mutate({ body: { domains: read.flatMap((one) => ("domain" in one ? [one.domain] : [])) } });
  };
  return (
    <form ref={form} className="ac-domains-add" onSubmit={submit} noValidate>
      <TextInput
        ref={input}
        label={t("domains.add")}
        description={t("domains.addHelp")}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setProblem(undefined);
        }}
        error={problem}
        inputWrapperOrder={["label", "description", "input", "error"]}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {t("domains.addAction")}
      </Button>
    </form>
  );
}

/** As many addresses the question names. */
const MOST_NAMED = 5;

function RemoveDomain({ domain, isLast, onClose }: { domain: string; isLast: boolean; onClose: () => void }) {
  const { t } = useWords("insights");
  const seesThem = useCan("READ_ALL_SHARED_DASHBOARDS");
  const inUse = useEndpoint(listDomainsInUse, {}, { staleTime: 0 });
  const query = { domain, pageSize: 100 };
  const items = useEndpoint(listSharedItems, { query }, { enabled: seesThem, staleTime: 0 });
  const remove = useCall(deleteAllowedDomain, { refreshes: REFRESHES });
  const people = items.data?.people ?? inUse.data?.domains.find((one) => one.domain === domain)?.people ?? 0;
  const named = [...new Set(items.data?.items.map(({ email }) => email))].slice(0, MOST_NAMED);
  // Not asked before it is known who is concerned.
  if (seesThem ? items.isPending : inUse.isPending) return null;
  const failed = seesThem ? items.error : inUse.error;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t("domains.removeTitle", { domain })}
      action={t("domains.removeAction")}
      onConfirm={() => remove.mutateAsync({ params: { domain } })}
    >
      {failed ? <RefusalBox error={failed} /> : null}
      <p>{isLast ? t("domains.removeLast") : t("domains.removeBody", { domain })}</p>
      {people > 0 && !isLast ? <p>{t("domains.removeKeep", { count: people })}</p> : null}
      {named.length > 0 && !isLast ? (
        <ul className="ac-domains-people">
          {named.map((email) => (
            <li key={email}>{email}</li>
          ))}
          {people > named.length ? <li>{t("domains.removeMore", { count: people - named.length })}</li> : null}
        </ul>
      ) : null}
    </ConfirmDialog>
  );
}
