/**
 * Endpoints as hooks. `useEndpoint(listRecords, { params: { entityId } })` reads and caches (fresh for 15 s, kept 30 s);
 * `useCall(deleteRecord, { refreshes: [listRecords] })` writes and then refreshes what it names.
 */
import type { AnyEndpoint, EventSpec, ReplyOf } from "@accord/contracts";
import {
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { call, type CallOptions, type Input } from "./api.ts";
import { ApiError } from "./api-error.ts";
import { shareReply } from "./exact-replies.ts";
import { isStreamLive, onEvent } from "./realtime.ts";

/** Nothing the server refuses by rule gets better by asking again; only a lost or overloaded server does. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 30_000,
      refetchOnMount: true,
      structuralSharing: shareReply,
      retry: (count, error) => count < 2 && isWorthRepeating(error),
    },
    mutations: { retry: false },
  },
});

/** Cache key of a call: endpoint name, then what it was asked. */
export const keyOf = <E extends AnyEndpoint>(endpoint: E, input?: Input<E>) =>
  input === undefined ? ([endpoint.name] as const) : ([endpoint.name, input] as const);

/** For route loaders and prefetching: `queryClient.ensureQueryData(endpointQuery(getEntity, { params }))`. */
export function endpointQuery<E extends AnyEndpoint>(
  endpoint: E,
  ...[input]: object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]
) {
  return queryOptions<ReplyOf<E>, Error>({
    queryKey: keyOf(endpoint, (input ?? {}) as Input<E>),
    queryFn: ({ signal }) =>
      (call as (e: AnyEndpoint, i: unknown, o: { signal: AbortSignal }) => Promise<ReplyOf<E>>)(endpoint, input, {
        signal,
      }),
  });
}

type Extra<Reply> = Omit<UseQueryOptions<Reply, Error>, "queryKey" | "queryFn">;

/** Reads an endpoint. `extra` takes TanStack Query's options: `enabled`, `placeholderData: keepPreviousData`, `select`… */
export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E,
  ...[input, extra]: object extends Input<E>
    ? [input?: Input<E>, extra?: Extra<ReplyOf<E>>]
    : [input: Input<E>, extra?: Extra<ReplyOf<E>>]
) {
  const options = (endpointQuery as (e: E, i: unknown) => UseQueryOptions<ReplyOf<E>, Error>)(endpoint, input);
  return useQuery<ReplyOf<E>, Error>({ ...options, ...extra });
}

export const POLL_MS = 10_000;

/**
 * `extra` for data that changes by itself: asks again every 10 s while the message stream is down (or always, with
 * `always`, where no event tells of changes).
 */
export const polling = (always = false) => ({
  refetchInterval: () => (always || !isStreamLive() ? POLL_MS : false),
});

/** Cached replies are found by the name of their endpoint. */
type Named = Pick<AnyEndpoint, "name">;

/** Marks every cached reply of these endpoints as old; the ones on screen are read again at once. */
export function refresh(...endpoints: readonly Named[]): Promise<void> {
  return Promise.all(endpoints.map((each) => queryClient.invalidateQueries({ queryKey: [each.name] }))).then(() => {});
}

/** Bursts of messages ask again once: at the first one, and once more when the pause is over. */
const PAUSE_MS = 1_000;

/** From now on each such message makes the cached replies of these endpoints old. */
export function refreshOn(event: Readonly<EventSpec>, endpoints: readonly Named[]): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isOld = false;
  const act = () => {
    isOld = false;
    void refresh(...endpoints);
    waiting = setTimeout(() => {
      waiting = undefined;
      if (isOld) act();
    }, PAUSE_MS);
  };
  return onEvent(event, () => {
    isOld = true;
    if (waiting === undefined) act();
  });
}

interface UseCallOptions<E extends AnyEndpoint> {
  /** Endpoints whose replies this call makes old. */
  refreshes?: readonly AnyEndpoint[];
  /** As of `CallOptions`: for what is stored as soon as it is chosen, with nothing that says that it isn't stored yet. */
  outlivesPage?: boolean;
  onSuccess?: (reply: ReplyOf<E>, input: Input<E>) => unknown;
  onError?: (error: Error, input: Input<E>) => unknown;
}

/** Writes by an endpoint: `const remove = useCall(deleteRecord); remove.mutate({ params: { … } })`. */
export function useCall<E extends AnyEndpoint>(endpoint: E, options: UseCallOptions<E> = {}) {
  const client = useQueryClient();
  return useMutation<ReplyOf<E>, Error, Input<E>>({
    mutationKey: [endpoint.name],
    mutationFn: (input) =>
      (call as (e: AnyEndpoint, i: unknown, o: CallOptions) => Promise<ReplyOf<E>>)(endpoint, input, {
        outlivesPage: options.outlivesPage ?? false,
      }),
    onSuccess: async (reply, input) => {
      await Promise.all((options.refreshes ?? []).map((each) => client.invalidateQueries({ queryKey: [each.name] })));
      await options.onSuccess?.(reply, input);
    },
    ...(options.onError ? { onError: options.onError } : {}),
  });
}
