/** What becomes of a record at a destination under either version of a pipeline, compared. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { explain as words } from "@accord/contracts/messages/en/sync/explain";
import type { DestinationChange, DiffField } from "@accord/contracts/sync/tests/publish-diff";
import { sameValue, type SecretFields } from "@accord/expressions";
import type { FieldVerdictOf } from "@accord/sync-engine/run";
import type { SimulatedDestination } from "../test-run/simulate.ts";

type Outcome = Pick<SimulatedDestination, "outcome" | "fields" | "failure">;

export interface ComparedDestination {
  change: DestinationChange;
  message: string | null;
  fields: DiffField[];
}

/** Undefined: the version has no such destination. Null: it makes no difference. `secrets`: of its place. */
export function compareDestinations(
  before: Outcome | undefined,
  after: Outcome | undefined,
  secrets: SecretFields,
): ComparedDestination | null {
  const wasSent = before !== undefined && before.outcome !== "filtered";
  const isSent = after !== undefined && after.outcome !== "filtered";
  if (!isSent) return wasSent ? { change: "noLongerSent", message: null, fields: [] } : null;
  const fields = wasFine(before) && wasSent ? differing(before.fields, after.fields) : written(after.fields);
  const shown = fields.map((field) => masked(field, secrets));
  const refusal = refusalOf(before, after, fields);
  if (refusal !== null) return { change: "refused", message: refusal, fields: shown };
  if (isStuck(after)) return null;
  const change = changeOf(wasSent ? before : undefined, after, fields);
  return change && { change, message: null, fields: change === "left" ? [] : shown };
}

const STUCK: ReadonlySet<string> = new Set(["failed", "not_allowed"]);
const isStuck = ({ outcome }: Outcome): boolean => STUCK.has(outcome);
const wasFine = (before: Outcome | undefined): before is Outcome => before !== undefined && !isStuck(before);

/** Why the draft can't write it, where the published version could, or could not for another reason; null: it can. */
function refusalOf(before: Outcome | undefined, after: Outcome, fields: readonly Differing[]): string | null {
  if (isStuck(after)) {
    const isSame =
      before?.outcome === after.outcome && before.failure === after.failure && fields.every((one) => !one.isWritten);
    return isSame
      ? null
      : (after.failure ?? words.notWritten[after.outcome === "not_allowed" ? "not_allowed" : "failed"]);
  }
  return fields.some(({ isUnfit }) => isUnfit) ? words.field.not_convertible : null;
}

function changeOf(before: Outcome | undefined, after: Outcome, fields: readonly Differing[]): DestinationChange | null {
  const isSame = before?.outcome === after.outcome && fields.length === 0;
  if (isSame) return null;
  switch (after.outcome) {
    case "create":
      return "created";
    case "update":
      return fields.length > 0 && fields.every(({ mapped }) => mapped === "published") ? "noLongerSent" : "updated";
    case "delete":
      return before?.outcome === "delete" ? null : "deleted";
    case "up_to_date":
      if (before === undefined || isStuck(before)) return "newlySent";
      if (before.outcome !== "up_to_date") return "left";
      if (fields.some(({ isWritten }) => isWritten)) return "updated";
      return fields.some(({ mapped }) => mapped === "published") ? "noLongerSent" : null;
    default:
      return null;
  }
}

interface Differing extends DiffField {
  coreField: string;
  /** The destination would be sent it. */
  isWritten: boolean;
  /** Only under the draft it does not fit the field's type. */
  isUnfit: boolean;
}

const HELD: ReadonlySet<string> = new Set(["held_there", "goes_along"]);
/** Verdicts by which nothing is sent, whatever the value. */
const UNSENT: ReadonlySet<string> = new Set(["create_only", "reference_unknown", "empty"]);

function differing(before: readonly FieldVerdictOf[], after: readonly FieldVerdictOf[]): Differing[] {
  const old = byField(before);
  const fields = after.flatMap((now): Differing[] => {
    const was = old.get(now.connectorField);
    if (was && !isHidden(was, now) && (sameValue(was.value, now.value) || UNSENT.has(now.verdict))) return [];
    if (!was && (HELD.has(now.verdict) || UNSENT.has(now.verdict))) return [];
    return [differingField(was, now)];
  });
  const kept = byField(after);
  const dropped = before
    .filter(({ connectorField, verdict }) => !kept.has(connectorField) && verdict !== "create_only")
    .map((was): Differing => ({
      field: was.connectorField,
      coreField: was.coreField,
      before: was.value,
      after: null,
      isHeld: HELD.has(was.verdict),
      mapped: "published",
      isWritten: false,
      isUnfit: false,
    }));
  return [...fields, ...dropped];
}

/** What a destination is sent that was sent nothing. */
const written = (after: readonly FieldVerdictOf[]): Differing[] =>
  after.filter(({ verdict }) => verdict === "differs").map((now) => differingField(undefined, now));

const differingField = (was: FieldVerdictOf | undefined, now: FieldVerdictOf): Differing => ({
  field: now.connectorField,
  coreField: now.coreField,
  before: was?.value ?? null,
  after: now.value,
  isHeld: was !== undefined && HELD.has(was.verdict),
  mapped: was ? "both" : "draft",
  isWritten: now.verdict === "differs" || (was !== undefined && isHidden(was, now)),
  isUnfit: now.verdict === "not_convertible" && was?.verdict !== "not_convertible",
});

/** Two secrets, of which nobody sees whether they differ: the field takes another one's value. */
const isHidden = (was: FieldVerdictOf, now: FieldVerdictOf): boolean =>
  was.coreField !== now.coreField && was.value === PASSWORD_MASK && now.value === PASSWORD_MASK;

const byField = (fields: readonly FieldVerdictOf[]): ReadonlyMap<string, FieldVerdictOf> =>
  new Map(fields.map((one) => [one.connectorField, one]));

/** What a field pipeline made for a destination goes by that one's name. */
function masked({ coreField, isWritten: _, isUnfit: __, ...field }: Differing, secrets: SecretFields): DiffField {
  const hidden = (value: DiffField["before"]) => secrets.value(field.field, secrets.value(coreField, value));
  return { ...field, before: hidden(field.before), after: hidden(field.after) };
}
