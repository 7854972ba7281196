/** Setting a new password: from a mailed link (token in the address), or because the old one has expired. */
import { LINK_LIFETIME, openPasswordReset, PASSWORD_LENGTH, resetPassword } from "@accord/contracts/identity/sign-in";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { FormSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { call } from "../../../app/api.ts";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { OpenPage } from "./open-page.tsx";

const route = getRouteApi("/open/authentication/resetpassword");

type Opened = { way: "home" } | { way: "expired" | "link"; userId: string };

/** A link's token opens a session that may only set a password; without one the current user tells what to do. */
async function openReset(token: string | undefined): Promise<Opened> {
  if (token !== undefined) {
    const { userId } = await call(openPasswordReset, { body: { token } });
    // The token works once; a reload must not try it again, and nobody may read it from the address.
    history.replaceState(history.state, "", location.pathname);
    return { way: "link", userId };
  }
  const user = await call(getCurrentUser);
  return user.passwordExpired ? { way: "expired", userId: user.id } : { way: "home" };
}

export function ResetScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("reset.title") });
  const { token } = route.useSearch();
  const navigate = useNavigate();
  const opened = useQuery({
    queryKey: ["openReset"],
    queryFn: async () => {
      const result = await openReset(token);
      if (result.way === "home") location.assign("/");
      return result;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (opened.isError)
    return (
      <OpenPage
        title={t("reset.invalidTitle")}
        lead={t("reset.invalidBody", { minutes: LINK_LIFETIME.resetMinutes })}
        footer={<Link to="/login">{t("forgot.back")}</Link>}
      >
        <Button component="a" href="/authentication/forgotpassword" fullWidth className="ac-open__next">
          {t("reset.again")}
        </Button>
      </OpenPage>
    );
  if (!opened.data || opened.data.way === "home")
    return (
      <OpenPage title={t("reset.title")}>
        <FormSkeleton fields={2} />
      </OpenPage>
    );
  const { way, userId } = opened.data;
  return (
    <OpenPage
      title={t("reset.title")}
      lead={t(way === "expired" ? "reset.expiredLead" : "reset.lead", { min: PASSWORD_LENGTH.min })}
    >
      <NewPasswordForm
        submitLabel={t("reset.update")}
        onSubmit={async (newPwd) => {
          await call(resetPassword, { params: { userId }, body: { newPwd } });
          await navigate({ to: "/authentication/passwordresetsuccess" });
        }}
      />
    </OpenPage>
  );
}

export function ResetDoneScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("reset.successTitle") });
  return (
    <OpenPage title={t("reset.successTitle")} lead={t("reset.successBody")}>
      <Button component="a" href="/login" fullWidth className="ac-open__next">
        {t("signIn.submit")}
      </Button>
    </OpenPage>
  );
}
