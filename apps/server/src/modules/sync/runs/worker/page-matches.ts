/** What storage finds for a page's match request. */
import type { Effect, FoundCandidates, Input } from "@accord/sync-engine/run";
import type { RunStorage } from "../storage/run-storage.store.ts";

export async function matchPage(
  { nodeId, request }: Extract<Effect, { kind: "match" }>,
  storage: Pick<RunStorage, "match" | "findHolders" | "findDuplicates">,
): Promise<Input> {
  const { records: candidates, ...bounds } = request.fields.length > 0 ? await storage.match(request) : NOTHING;
  const holders = request.withHolders ? await storage.findHolders(request) : [];
  if (!request.duplicates) return { kind: "matched", nodeId, candidates, ...bounds, holders };
  const duplicates = await storage.findDuplicates(request.duplicates);
  return { kind: "matched", nodeId, candidates, ...bounds, holders, duplicates };
}

const NOTHING: FoundCandidates = { records: [], cut: [], isFull: false };
