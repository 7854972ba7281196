/** What the address of the list of records holds; everything falls back, so that no bad address blanks the page. */
import { MAX_FILTER_IN_ADDRESS } from "@accord/contracts/data/predicate";
import { z } from "zod";

export const RecordsSearch = z.object({
  q: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(60).optional().catch(undefined),
  /** JSON of the predicate. */
  where: z.string().max(MAX_FILTER_IN_ADDRESS).optional().catch(undefined),
  /** Id of the saved filter that `where` came from. */
  filter: z.string().max(24).optional().catch(undefined),
  deleted: z.enum(["show", "only"]).optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
  dir: z.literal("previous").optional().catch(undefined),
  page: z.number().int().min(1).max(1_000_000).optional().catch(undefined),
});
export type RecordsSearch = z.output<typeof RecordsSearch>;
