/** One query on screen: outline while it loads, its error in place, no permission, not found, and then the data. */
import { EmptyState, PageBody, PageHeader } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { IconLock, IconMoodPuzzled } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { ApiError, explain, explanationOf, isBadAddress, isNotFound } from "../app/api-error.ts";
import { useWords } from "../app/words.ts";
import { RefusalBox } from "./refusal/refusal-box.tsx";

export interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** An outline in the shape of the data: `<TableSkeleton />`. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
  /** Nothing else is on the screen: what went wrong becomes the page. */
  isScreen?: boolean;
}

/** Keeps showing old data while new data comes; a failed refresh shows above it. */
export function QueryView<Data>({ query, skeleton, children, isScreen = false }: QueryViewProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError ? <QueryError error={query.error} onRetry={() => void query.refetch()} /> : null}
        {children(query.data)}
      </>
    );
  if (query.isError) return <QueryError error={query.error} onRetry={() => void query.refetch()} isScreen={isScreen} />;
  return skeleton;
}

interface QueryErrorProps {
  error: unknown;
  onRetry?: () => void;
  isScreen?: boolean;
}

const AGAIN_MS = 4_000;

/** What failed only because server or database were away is asked again by itself until it works. */
function useAskingAgain(error: unknown, onRetry: (() => void) | undefined): void {
  const isAway = error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503);
  useEffect(() => {
    if (!isAway || !onRetry) return;
    const timer = setInterval(onRetry, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway, onRetry]);
}

/** What to say of something that isn't there, or whose address can't be one; null of other errors. */
function useMissingWords(error: unknown): { title: string; body: string | undefined } | null {
  const { t } = useWords();
  if (isNotFound(error)) {
    const { title, reasons } = explain(error);
    return { title, body: reasons[0] };
  }
  if (isBadAddress(error)) return { title: t("error.notFoundTitle"), body: t("error.notFoundBody") };
  return null;
}

/** A failed call in place, or instead of the whole screen. */
export function QueryError({ error, onRetry, isScreen = false }: QueryErrorProps) {
  const { t } = useWords();
  useAskingAgain(error, onRetry);
  const missing = useMissingWords(error);
  if (error instanceof ApiError && error.status === 403)
    return (
      <EmptyState
        isPage={isScreen}
        icon={<IconLock size={22} />}
        title={t("error.noPermissionTitle")}
        body={explanationOf(error)}
      />
    );
  if (missing)
    return (
      <EmptyState
        isPage={isScreen}
        icon={<IconMoodPuzzled size={22} />}
        title={missing.title}
        body={missing.body}
        action={
          isScreen ? (
            <Group gap={8} justify="center">
              <Button variant="default" onClick={() => history.back()}>
                {t("error.goBack")}
              </Button>
              {/* Opened cold, there is nothing to go back to. */}
              <Button component="a" href="/">
                {t("error.home")}
              </Button>
            </Group>
          ) : undefined
        }
      />
    );
  const box = <RefusalBox error={error} {...(onRetry ? { onRetry } : {})} />;
  if (!isScreen) return box;
  return (
    <PageBody>
      <PageHeader title={t("error.uiTitle")} />
      {box}
    </PageBody>
  );
}
