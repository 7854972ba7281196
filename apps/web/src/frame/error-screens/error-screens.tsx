/** Screens for what can go wrong: unknown address, failed screen, missing permission, slow server, lost chunk. */
import { PRODUCT } from "@accord/contracts";
import { ErrorScreen } from "@accord/ui";
import { Button } from "@mantine/core";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError, explanationOf, isNotFound } from "../../app/api-error.ts";
import { ChunkLoadError } from "../../app/lazy-screen.ts";
import { usePage } from "../../app/page.ts";
import { reportError } from "../../app/report-error.ts";
import { useWords } from "../../app/words.ts";
import { Reference } from "./reference.tsx";

function HomeButton({ primary = true }: { primary?: boolean }) {
  const { t } = useWords();
  return (
    <Button component="a" href="/" variant={primary ? "filled" : "default"}>
      {t("error.home")}
    </Button>
  );
}

function ReloadButton() {
  const { t } = useWords();
  return (
    <Button variant="filled" onClick={() => location.reload()}>
      {t("action.reload")}
    </Button>
  );
}

/** No such address, or no such object. */
export function NotFoundScreen() {
  const { t } = useWords();
  usePage({ title: t("error.notFoundTitle") });
  return (
    <ErrorScreen
      code="404"
      title={t("error.notFoundTitle")}
      body={t("error.notFoundBody")}
      actions={
        <>
          <HomeButton />
          <Button variant="default" onClick={() => history.back()}>
            {t("error.goBack")}
          </Button>
        </>
      }
    />
  );
}

export function TimeoutScreen() {
  const { t } = useWords();
  usePage({ title: t("error.timeoutTitle") });
  return (
    <ErrorScreen code="504" title={t("error.timeoutTitle")} body={t("error.timeoutBody")} actions={<HomeButton />} />
  );
}

export function UiErrorScreen() {
  const { t } = useWords();
  usePage({ title: t("error.uiTitle") });
  return <ErrorScreen title={t("error.uiTitle")} body={t("error.uiBody")} actions={<HomeButton />} />;
}

export function ChunkScreen() {
  const { t } = useWords();
  return (
    <ErrorScreen
      title={t("error.chunkTitle")}
      body={t("error.chunkBody")}
      actions={
        <Button component="a" href="/" variant="filled">
          {t("action.reload")}
        </Button>
      }
    />
  );
}

/** The global error screen: the error is sent home once. */
export function CrashScreen({ error, componentStack = "" }: { error: unknown; componentStack?: string }) {
  const { t } = useWords();
  const [reported, setReported] = useState<{ sent: boolean; id: string }>();
  useEffect(() => {
    void reportError(error, componentStack).then(setReported);
  }, [error, componentStack]);
  const note =
    reported?.sent === false
      ? t("error.notSent", { product: PRODUCT.name })
      : t("error.sentToProduct", { product: PRODUCT.name });
  return (
    <ErrorScreen
      title={t("error.oops")}
      body={
        <>
          {note} {t("error.dontGiveUp")}
        </>
      }
      details={explanationOf(error)}
      detailsLabel={t("error.details")}
      reference={reported ? <Reference id={reported.id} /> : undefined}
      actions={
        <>
          <ReloadButton />
          <HomeButton primary={false} />
        </>
      }
    />
  );
}

/** What the router shows when a screen's loading or rendering throws. */
export function ScreenError({ error, reset, info }: ErrorComponentProps) {
  const { t } = useWords();
  const router = useRouter();
  if (isNotFound(error)) return <NotFoundScreen />;
  if (error instanceof ChunkLoadError) return <ChunkScreen />;
  if (!(error instanceof ApiError)) return <CrashScreen error={error} componentStack={info?.componentStack ?? ""} />;
  return (
    <ErrorScreen
      title={error.status === 0 ? t("state.offlineTitle") : t("error.applicationError")}
      body={error.message}
      reference={error.requestId ? <Reference id={error.requestId} label={t("error.requestLabel")} /> : undefined}
      actions={
        <>
          <Button
            variant="filled"
            onClick={() => {
              reset();
              void router.invalidate();
            }}
          >
            {t("action.retry")}
          </Button>
          <HomeButton primary={false} />
        </>
      }
    />
  );
}
