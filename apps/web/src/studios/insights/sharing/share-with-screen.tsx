/** Shares a published dashboard with people by e-mail; their passwords are shown once, here. */
import { listAllowedDomains } from "@accord/contracts/insights/allowed-domains";
import { listShares, type ShareResult, shareDashboard, SHARING } from "@accord/contracts/insights/sharing";
import { listDashboards } from "@accord/contracts/insights/dashboards";
import { Card, CopyableId, PageBody, PageHeader } from "@accord/ui";
import { Button, Radio, Select, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError, explain } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { PATTERN } from "../../../shared/names.ts";
import { asDashboardId, useDashboard } from "../parts/queries.ts";
import "./sharing.css";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const EXPIRIES = ["7", "30", "90", "never", "other"] as const;

export function ShareWithScreen() {
  const { t } = useWords("insights");
  const { dashboardId = "" } = useParams({ strict: false });
  const name = useDashboard(dashboardId).data?.dashboard.displayName ?? "";
  const [results, setResults] = useState<ShareResult[] | null>(null);
  usePage({
    title: t("toolbar.shareWith"),
    crumbs: [
      { label: t("title"), to: "/insights-studio" },
      { kind: "dashboard", id: dashboardId, to: `/insights-studio/${dashboardId}` },
      { label: t("toolbar.shareWith") },
    ],
  });
  return (
    <Demand anyOf={["SHARE_DASHBOARD"]}>
      <PageBody narrow>
        <PageHeader title={name ? `${t("share.title")}: ${name}` : t("share.title")} subtitle={t("share.body")} />
        {results ? (
          <Handover results={results} dashboardId={dashboardId} onAnother={() => setResults(null)} />
        ) : (
          <ShareForm dashboardId={dashboardId} onShared={setResults} />
        )}
      </PageBody>
    </Demand>
  );
}

function ShareForm({ dashboardId, onShared }: { dashboardId: string; onShared: (results: ShareResult[]) => void }) {
  const { t } = useWords("insights");
  const [emails, setEmails] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]>("30");
  const [date, setDate] = useState("");
  const [message, setMessage] = useState("");
  const [secret, setSecret] = useState<"password" | "code">("password");
  useUnsavedChanges(emails.length > 0 || typed.trim() !== "" || message !== "");
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const share = useCall(shareDashboard, {
    refreshes: [listShares, listDashboards],
    onSuccess: ({ shares }) => onShared(shares),
  });
  // Once what was refused is drawn.
  useEffect(() => {
    if (share.error) focusFirstProblem(form.current);
  }, [share.error]);
  const allowedHint = useAllowedHint();
  const refused = refusedOf(share.error, share.variables?.body.emails ?? []);
  const change = (next: { emails?: string[]; typed?: string }): void => {
    if (next.emails) setEmails(next.emails);
    if (next.typed !== undefined) setTyped(next.typed);
    // What was refused is about the addresses as they were sent.
    if (refused.length > 0) share.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const all = typed.trim() === "" ? emails : [...emails, typed.trim()];
    const wrong = all.find((email) => !PATTERN.email.test(email));
    setProblem(
      all.length === 0 ? t("share.emailsEmpty") : wrong ? t("share.emailInvalid", { text: wrong }) : undefined,
    );
    if (all.length === 0 || wrong) return;
    share.mutate({
      params: { id: asDashboardId(dashboardId) },
      body: { emails: all, expiryDate: expiryDate(expiry, date), message, secret },
    });
  };
  return (
    <Card>
      <form ref={form} className="ac-form" onSubmit={submit}>
        {share.isError && refused.length === 0 ? <RefusalBox error={share.error} /> : null}
        <TagsInput
          data-autofocus
          label={t("share.emails")}
          description={allowedHint ? `${t("share.emailsHelp")} ${allowedHint}` : t("share.emailsHelp")}
          value={emails}
          onChange={(next) => change({ emails: next })}
          searchValue={typed}
          onSearchChange={(next) => (next === typed ? undefined : change({ typed: next }))}
          splitChars={[",", ";", " "]}
          maxTags={SHARING.recipients}
          error={problem ?? (refused.length > 0 ? explain(share.error).title : undefined)}
          clearButtonProps={{ "aria-label": t("shell:action.clear") }}
          withAsterisk
        />
        {refused.length > 0 ? (
          <div>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                const sent = share.variables?.body.emails ?? [];
                change({ emails: sent.filter((email) => !refused.includes(email)), typed: "" });
              }}
            >
              {t("domains.leaveOut", { count: refused.length })}
            </Button>
          </div>
        ) : null}
        <div className="ac-form__pair">
          <Select
            label={t("share.expiry")}
            allowDeselect={false}
            value={expiry}
            onChange={(next) => setExpiry((next ?? "30") as typeof expiry)}
            data={EXPIRIES.map((value) => ({ value, label: t(`share.expiries.${value}`) }))}
          />
          {expiry === "other" ? (
            <TextInput
              type="date"
              label={t("share.date")}
              value={date}
              onChange={(event) => setDate(event.currentTarget.value)}
              required
            />
          ) : null}
        </div>
        <Radio.Group
          label={t("share.secret")}
          value={secret}
          onChange={(next) => setSecret(next === "code" ? "code" : "password")}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="password" label={t("share.password")} description={t("share.passwordHelp")} />
            <Radio value="code" label={t("share.code")} description={t("share.codeHelp")} />
          </Stack>
        </Radio.Group>
        <Textarea
          label={t("share.message")}
          autosize
          minRows={2}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <div className="ac-form__foot">
          <Button type="submit" loading={share.isPending}>
            {t("share.deed")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** As many domains are named before anything is refused. */
const MOST_NAMED = 5;

function useAllowedHint(): string | undefined {
  const { t } = useWords("insights");
  const list = useEndpoint(listAllowedDomains, {}, { enabled: useCan("READ_ALLOWED_DOMAINS") });
  const names = list.data?.domains.map(({ domain }) => domain) ?? [];
  if (names.length === 0) return undefined;
  const domains = names.slice(0, MOST_NAMED).join(", ");
  const count = names.length - MOST_NAMED;
  return count > 0 ? t("domains.shareHintMore", { domains, count }) : t("domains.shareHint", { domains });
}

/** Those of the sent addresses that are outside the allowed domains. */
function refusedOf(error: Error | null, sent: readonly string[]): string[] {
  if (!(error instanceof ApiError) || error.code !== "domain_not_allowed") return [];
  return sent.filter((_, index) => error.problemOf(`emails.${index}`) !== undefined);
}

const DAY_MS = 86_400_000;

function expiryDate(choice: (typeof EXPIRIES)[number], date: string): string | null {
  if (choice === "never") return null;
  if (choice === "other") return new Date(`${date}T23:59:59.999Z`).toISOString();
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}

function Handover({
  results,
  dashboardId,
  onAnother,
}: {
  results: ShareResult[];
  dashboardId: string;
  onAnother: () => void;
}) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const withPassword = results.some(({ password }) => password !== null);
  return (
    <Card title={withPassword ? t("share.onceTitle") : t("share.done")}>
      <p className="ac-form__lead">{withPassword ? t("share.onceBody") : t("share.mailed")}</p>
      <ul className="ac-handover">
        {results.map(({ share, password }) => (
          <li key={share.sharedItemId}>
            <strong>{share.email}</strong>
            {password === null ? null : (
              <span>
                {t("outside.password")}: <CopyableId id={password} />
              </span>
            )}
            <span>
              {t("share.link")}: <CopyableId id={share.link} />
            </span>
          </li>
        ))}
      </ul>
      <div className="ac-form__foot">
        <Button variant="default" onClick={onAnother}>
          {t("share.another")}
        </Button>
        <Button
          onClick={() =>
            void navigate({ to: "/insights-studio/$dashboardId/published/sharing-details", params: { dashboardId } })
          }
        >
          {t("share.finish")}
        </Button>
      </div>
    </Card>
  );
}
