/** Asking for a link to set a new password, and the page that says it is on its way. */
import { PRODUCT } from "@accord/contracts";
import { checkSignIn, forgotPassword, LINK_LIFETIME } from "@accord/contracts/identity/sign-in";
import { ErrorBox } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../../app/api.ts";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { reportError } from "../../../app/report-error.ts";
import { useWords } from "../../../app/words.ts";
import { OpenPage } from "./open-page.tsx";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Address just asked for; in history state, so that it never stands in an address bar or log. */
    askedFor?: string;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 504);

export function ForgotScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("forgot.title") });
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => void call(checkSignIn).catch(() => {}), []);

  const submit = async (form: FormData) => {
    const email = String(form.get("email"));
    setBusy(true);
    setProblem(undefined);
    try {
      await call(forgotPassword, { body: { email } });
      await navigate({ to: "/authentication/forgotpasswordsent", state: { askedFor: email } });
    } catch (error) {
      if (isTimeout(error)) await reportError(error, "");
      setProblem(isTimeout(error) ? t("forgot.timeout", { product: PRODUCT.name }) : explanationOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <OpenPage title={t("forgot.title")} lead={t("forgot.lead")} footer={<Link to="/login">{t("forgot.back")}</Link>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        {problem ? <ErrorBox message={problem} /> : null}
        <TextInput
          name="email"
          type="email"
          label={t("signIn.email")}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={busy} fullWidth>
          {t("forgot.submit")}
        </Button>
      </form>
    </OpenPage>
  );
}

export function ForgotSentScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("forgot.sentTitle") });
  const { askedFor } = useLocation().state;
  return (
    <OpenPage
      title={t("forgot.sentTitle")}
      lead={
        askedFor
          ? t("forgot.sentBody", { email: askedFor, minutes: LINK_LIFETIME.resetMinutes })
          : t("forgot.sentBodyAnyone")
      }
      footer={<Link to="/login">{t("forgot.back")}</Link>}
    >
      <p className="ac-open__foot">{t("forgot.sentHint")}</p>
    </OpenPage>
  );
}
