/** An invited person sets a password and can then sign in. */
import { checkSignIn, LINK_LIFETIME, PASSWORD_LENGTH, setInvitedPassword } from "@accord/contracts/identity/sign-in";
import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../../app/api.ts";
import { ApiError } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { OpenPage } from "./open-page.tsx";

const route = getRouteApi("/open/invited-user/setpassword/$invitationId");

type State = { at: "form" } | { at: "done"; email: string } | { at: "invalid" };

export function InvitedScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("invited.title") });
  const { invitationId } = route.useParams();
  const [state, setState] = useState<State>({ at: "form" });
  useEffect(() => void call(checkSignIn).catch(() => {}), []);

  const submit = async (password: string) => {
    try {
      const { email } = await call(setInvitedPassword, { params: { invitationId }, body: { password } });
      setState({ at: "done", email });
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== "token_invalid" && error.status !== 404)) throw error;
      setState({ at: "invalid" });
    }
  };

  if (state.at === "invalid")
    return (
      <OpenPage
        title={t("invited.invalidTitle")}
        lead={t("invited.invalidBody", { days: LINK_LIFETIME.invitationDays })}
      >
        <Button component="a" href="/login" variant="default" fullWidth className="ac-open__next">
          {t("forgot.back")}
        </Button>
      </OpenPage>
    );
  if (state.at === "done")
    return (
      <OpenPage title={t("invited.doneTitle")} lead={t("invited.doneBody", { email: state.email })}>
        <Button component="a" href="/login" fullWidth className="ac-open__next">
          {t("signIn.submit")}
        </Button>
      </OpenPage>
    );
  return (
    <OpenPage title={t("invited.title")} lead={t("invited.lead", { min: PASSWORD_LENGTH.min })}>
      <NewPasswordForm submitLabel={t("invited.submit")} onSubmit={submit} />
    </OpenPage>
  );
}
