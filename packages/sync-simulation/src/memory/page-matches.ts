/** What a store finds for a page's match request. */
import type { Effect, Input } from "@accord/sync-engine/run";
import type { MemoryStore } from "./memory-store.ts";

export function matchPage({ nodeId, request }: Extract<Effect, { kind: "match" }>, store: MemoryStore): Input {
  const { records, cut, isFull } = store.match(request);
  const duplicates = request.duplicates && store.findDuplicates(request.duplicates);
  return {
    kind: "matched",
    nodeId,
    candidates: records,
    cut,
    isFull,
    ...(duplicates ? { duplicates } : {}),
    ...(request.withHolders ? { holders: store.findHolders(request) } : {}),
  };
}
