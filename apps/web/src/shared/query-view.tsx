/** One query on screen: outline while it loads, its error in place, no permission, not found, and then the data. */
import { EmptyState, ErrorBox } from "@accord/ui";
import { IconLock, IconMoodPuzzled } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, isNotFound, wordsOf } from "../app/api-error.ts";
import { useWords } from "../app/words.ts";

export interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** An outline in the shape of the data: `<TableSkeleton />`. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Keeps showing old data while new data comes; a failed refresh shows above it. */
export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError ? <QueryError error={query.error} onRetry={() => void query.refetch()} /> : null}
        {children(query.data)}
      </>
    );
  if (query.isError) return <QueryError error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton;
}

/** A failed call in place. */
export function QueryError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useWords();
  if (error instanceof ApiError && error.status === 403)
    return <EmptyState icon={<IconLock size={22} />} title={t("error.noPermissionTitle")} body={error.message} />;
  if (isNotFound(error))
    return (
      <EmptyState icon={<IconMoodPuzzled size={22} />} title={t("error.resourceNotFound")} body={wordsOf(error)} />
    );
  return (
    <ErrorBox
      message={wordsOf(error)}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      requestLabel={t("error.requestLabel")}
      {...(onRetry ? { onRetry } : {})}
    />
  );
}
