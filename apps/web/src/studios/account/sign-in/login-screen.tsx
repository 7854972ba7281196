/** The sign-in screen: says why one is here, signs in, fetches the profile, and returns to where one wanted to go. */
import { checkSignIn, signIn } from "@accord/contracts/identity/sign-in";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { ErrorBox } from "@accord/ui";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../../app/api.ts";
import { usePage } from "../../../app/page.ts";
import { ownMessage, safeReturnAddress } from "../../../app/return-address.ts";
import { useWords } from "../../../app/words.ts";
import { OpenPage } from "./open-page.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const route = getRouteApi("/open/login");

export function LoginScreen() {
  const { t } = useWords("identity");
  const { redirectTo, errorMessage } = route.useSearch();
  const reason = ownMessage(errorMessage);
  usePage({ title: t("signIn.title") });
  const [problem, setProblem] = useState<{ error: unknown }>();
  const [busy, setBusy] = useState(false);

  // Brings the anti-forgery cookie that the sign-in call needs.
  useEffect(() => void call(checkSignIn).catch(() => {}), []);

  const submit = async (form: FormData) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const reply = await call(signIn, {
        body: { username: String(form.get("username")), password: String(form.get("password")) },
      });
      const user = reply.passwordExpired ? undefined : await call(getCurrentUser);
      // A whole new page, so that nothing of an earlier session stays in it.
      if (reply.passwordExpired || user?.passwordExpired) location.assign("/authentication/resetpassword");
      else location.assign(safeReturnAddress(redirectTo, location.origin) ?? "/");
    } catch (error) {
      setBusy(false);
      setProblem({ error });
      document.querySelector<HTMLInputElement>("[name=password]")?.select();
    }
  };

  return (
    <OpenPage title={t("signIn.title")} lead={t("signIn.lead")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        {problem ? <RefusalBox error={problem.error} /> : reason ? <ErrorBox tone="warn" message={reason} /> : null}
        <TextInput
          name="username"
          label={t("signIn.email")}
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          name="password"
          label={t("signIn.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": t("reset.show") }}
        />
        <div className="ac-open__aside">
          <Link to="/authentication/forgotpassword">{t("signIn.forgot")}</Link>
        </div>
        <Button type="submit" loading={busy} fullWidth>
          {t("signIn.submit")}
        </Button>
      </form>
    </OpenPage>
  );
}
