/** What functions need to know that their records do not hold. Asked for a whole page at once, answered by the world. */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { Value, Values } from "@accord/contracts/data/values";
import type { CARD_ASSISTANT, ChatService, ServiceName } from "@accord/contracts/sync/providers";
import type { ActionCall } from "../actions/call.ts";

/** An equality that everything found must meet, so that the candidates of a whole page are read by one query. */
export interface IndexHint {
  field: string;
  value: Value;
}

/** Plain data, equal questions have equal JSON: a page's answers are looked up once for each different one. */
export type DataRequest =
  /** Core records, deleted ones left out: `where` holds literals only. Found: their values with `accordId`. */
  | {
      kind: "coreRecords";
      entity: string;
      where: Predicate;
      narrow: IndexHint | null;
      sort: { field: string; direction: "asc" | "desc" } | null;
      limit: number;
    }
  /** Records read live from a connected system whose field has this value. Found: their values with `externalId`. */
  | { kind: "externalRecords"; connectorId: string; entity: string; field: string; value: Value; limit: number }
  /** Rows of reference data whose column has this value. Found: the rows. */
  | { kind: "referenceData"; dataset: string; column: string; value: Value; caseSensitive: boolean; limit: number }
  /** Under which id a place knows a record. Found: `{ externalId }`. */
  | { kind: "externalId"; connectorId: string; entity: string; recordId: string }
  /** Which record a place's id belongs to. Found: `{ accordId }`. */
  | { kind: "recordId"; connectorId: string; entity: string; externalId: string }
  /** A service outside that is off until somebody configures it. Found: what it answered. */
  | { kind: "provider"; service: ProviderService; input: Values }
  /** A person's own code, run in the sandbox at the time `now`: nothing but its arguments decides. Found: what it returned. */
  | { kind: "code"; entry: CodeEntry; script: string; timeoutMs: number; now: number; args: readonly Value[] }
  /**
   * An action whose result a later node uses. Found: `{ succeeded, body, code, message }`, also when it failed. `later`:
   * it is only written down, to be performed soon. Found: nothing.
   */
  | { kind: "action"; call: ActionCall; later: boolean };

/** The function of the code that is called. */
export type CodeEntry = "run" | "chooseWinner" | "mergeValues";

export type ProviderService = Exclude<ServiceName, ChatService | typeof CARD_ASSISTANT>;

/** `ok: false` fails the asking record alone; a system that is down is the shell's to retry. */
export type DataResult = { ok: true; found: readonly Values[] } | { ok: false; code: string; message: string };

/** Whether answering leaves the product: such questions are not asked in simulated tests. */
export const isExternal = (dataRequest: DataRequest): boolean =>
  dataRequest.kind === "externalRecords" || dataRequest.kind === "provider" || dataRequest.kind === "action";
