/** What storage finds for a page's match request. */
import type { Effect, Input } from "@accord/sync-engine/run";
import type { RunStorage } from "../storage/run-storage.store.ts";

export async function matchPage(
  { nodeId, request }: Extract<Effect, { kind: "match" }>,
  storage: Pick<RunStorage, "match" | "findHolders" | "findDuplicates">,
): Promise<Input> {
  const candidates = request.fields.length > 0 ? await storage.match(request) : [];
  const holders = request.withHolders ? await storage.findHolders(request) : [];
  if (!request.duplicates) return { kind: "matched", nodeId, candidates, holders };
  const duplicates = await storage.findDuplicates(request.duplicates);
  return { kind: "matched", nodeId, candidates, holders, duplicates };
}
