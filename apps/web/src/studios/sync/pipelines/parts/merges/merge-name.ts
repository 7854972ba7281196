/** What a record of a merge is called, also when it has no name. */
import type { Merge } from "@accord/contracts/sync/merges";
import type { useWords } from "../../../../../app/words.ts";

type Words = ReturnType<typeof useWords<"sync">>["t"];

export const mergeName = (t: Words, { names }: Merge, recordId: string): string =>
  names[recordId] ?? t("merges.unnamed", { id: recordId.slice(-6) });
