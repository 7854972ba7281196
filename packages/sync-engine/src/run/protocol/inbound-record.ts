/** A live record on its way to the core, and why it may go on without something. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { isSecretField } from "@accord/expressions";
import type { FlowRecord } from "../../functions/flow.ts";
import type { Plan } from "../plan/plan.ts";
import type { PendingReference } from "./stored-references.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "./stored.ts";

/** A live record on its way, with what is known about it. */
export interface InboundRecord {
  record: SourceRecord;
  seen: string;
  link: StoredLink | null;
  stored: StoredRecord | null;
  /** `link` is what was known of a deleted row whose record this one takes over. */
  isSuccessor?: true;
  /** Its own record was merged into `stored`: the external record lives on as a second one of the same thing. */
  isAlias: boolean;
  /** Its record was deleted here while its copies stayed: what changes in one of them brings it back under this id. */
  formerId: string | null;
  /** It is there again after its deletion. */
  isBack: boolean;
  /** Fingerprints of writes to this record whose answer never came. */
  written: readonly string[];
  /** Core values as the source's mappings made them, before its path. */
  mapped: Values;
  refusedFields: readonly RefusedField[];
  pending: readonly Omit<PendingReference, "recordId" | "at">[];
  /** Core fields that name a record which was merged away: the place has to hear who stands for it. */
  renamed: readonly string[];
  /** Fields that were missing when it was read last, by their index among those read. */
  returned: ReadonlyMap<number, Returned>;
  /** Fields that show again what our writes replaced, by their index among those read: see `late-fields.ts`. */
  late?: ReadonlySet<number>;
  /** When its place last answered a write of ours, milliseconds; absent where nothing is kept of that. */
  writtenAt?: number | undefined;
  /** Set while it is decided on, where it is read for the first time since it was written. */
  spelling: Normalization | null;
}

/** A value that its core field can't hold. `connectorField`: where that is named otherwise. */
export interface RefusedField {
  field: string;
  value: Value;
  connectorField?: string;
}

/** How a field is that was missing when its record was read last, and is there again: see `returnedFields`. */
export type Returned = "asBefore" | "unsure";

/** What a first read after a write says about the spelling of a system. */
export interface Normalization {
  /** Fields, by their index among those read there, whose values are as they were written but for their spelling. */
  fields: ReadonlySet<number>;
  /** Likewise: fields whose values are not taken, as nothing proves them to be edits; they are written over. */
  doubtful: ReadonlySet<number>;
  /** The link's `respelled` from now on. */
  respelled: string | null;
  /** Values that are not taken into the core, by core field. */
  refused: NonNullable<LedgerEntry["refused"]>;
  warnings: readonly RecordWarning[];
}

/** Why a record went on without something. */
export interface RecordWarning {
  nodeId: string;
  code: string;
  message: string;
  /** Outside id on the source side, record id behind the core. */
  record: string;
  /** Core field. */
  field?: string;
  /** It is about the source as a whole, and said anew by each of its readings for as long as it is so. */
  isOfSource?: true;
  /** What people should see of this record besides the reason. */
  sample?: string;
}

/** Without the sample where that would show values of a secret field: the record's id stands for it. */
export const withoutSecret = ({ coreFields }: Pick<Plan, "coreFields">, warning: RecordWarning): RecordWarning => {
  const shape = warning.field === undefined ? undefined : coreFields.get(warning.field);
  if (warning.sample === undefined || (shape && !isSecretField(shape))) return warning;
  const { sample: _hidden, ...open } = warning;
  return open;
};

export const warningsOf = (flow: FlowRecord): RecordWarning[] =>
  flow.warnings.map((warning) => ({ ...warning, record: flow.source?.externalId ?? flow.recordId ?? "" }));
