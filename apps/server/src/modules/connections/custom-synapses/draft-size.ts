/** How large a draft may be as a whole: it is stored, published and read in one piece. */
import type { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import { invalidField } from "../../../platform/http/app-error.ts";

const MAX_BYTES = 2_000_000;

/** @throws AppError("validation_failed") `path`: what was sent that makes it so large. */
export function demandSize(draft: HttpSynapseDefinition, path: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(draft));
  if (bytes <= MAX_BYTES) return;
  throw invalidField(
    path,
    `would make the synapse ${(bytes / 1_000_000).toFixed(1)} MB large, and it may be 2 MB: leave out fields that nobody needs, or describe some of the entities in another synapse`,
  );
}
