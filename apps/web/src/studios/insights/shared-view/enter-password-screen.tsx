/** How somebody outside gets in: with the password they were given, or with a code mailed to them. */
import { decodeEmail, openSharedDashboard, requestShareCode } from "@accord/contracts/insights/sharing";
import { ErrorBox } from "@accord/ui";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconChartHistogram, IconMailQuestion } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { queryClient, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Door } from "./door.tsx";

export function EnterPasswordScreen() {
  const { t } = useWords("insights");
  const { email = "", dashboardId = "" } = useParams({ strict: false });
  const address = decodeEmail(email);
  const navigate = useNavigate();
  const [by, setBy] = useState<"password" | "code">("password");
  const [secret, setSecret] = useState("");
  usePage({ title: t("outside.enterTitle") });
  const params = { email, dashboardId };
  const open = useCall(openSharedDashboard, {
    onSuccess: () => {
      queryClient.clear();
      void navigate({ to: "/insightssharing/user/$email/dashboard/$dashboardId", params, replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "share_expired")
        void navigate({
          to: "/insightssharing/expired-dashboard/user/$email/dashboard/$dashboardId",
          params,
          replace: true,
        });
    },
  });
  const mail = useCall(requestShareCode, {
    onSuccess: () => {
      setBy("code");
      setSecret("");
      open.reset();
    },
  });
  if (address === null)
    return (
      <Door
        icon={<IconMailQuestion size={22} />}
        tone="warn"
        title={t("outside.enterTitle")}
        body={t("outside.badLink")}
      />
    );

  const problem = (error: unknown): string => {
    if (error instanceof ApiError && error.code === "invalid_credentials")
      return t(by === "code" ? "outside.wrongCode" : "outside.wrong");
    return explanationOf(error);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    open.mutate({ body: { ...params, secret } });
  };
  return (
    <Door
      icon={<IconChartHistogram size={22} />}
      title={t("outside.enterTitle")}
      body={by === "code" ? t("outside.codeBody", { email: address }) : t("outside.enterBody", { email: address })}
    >
      <form className="ac-form" onSubmit={submit}>
        {open.isError ? (
          <ErrorBox message={problem(open.error)} />
        ) : mail.isError ? (
          <ErrorBox message={problem(mail.error)} />
        ) : null}
        {by === "code" && !open.isError ? (
          <ErrorBox tone="info" message={t("outside.codeSent", { email: address })} />
        ) : null}
        {by === "password" ? (
          <PasswordInput
            label={t("outside.password")}
            value={secret}
            autoFocus
            autoComplete="off"
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label={t("outside.code")}
            value={secret}
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
        )}
        <Button type="submit" fullWidth loading={open.isPending} disabled={secret.trim() === ""}>
          {t("outside.open")}
        </Button>
        <Button variant="subtle" fullWidth loading={mail.isPending} onClick={() => mail.mutate({ body: params })}>
          {t(by === "code" ? "outside.mailAnother" : "outside.mailCode")}
        </Button>
        {by === "code" ? (
          <Button variant="subtle" fullWidth onClick={() => (setBy("password"), setSecret(""), open.reset())}>
            {t("outside.usePassword")}
          </Button>
        ) : null}
      </form>
    </Door>
  );
}
