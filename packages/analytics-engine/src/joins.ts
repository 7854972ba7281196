/** Puts joins in order: each brings one new source in, and further pairs of the same source have to hold as well. */
import type { DatasetConfig, DatasetJoin } from "@accord/contracts/insights/dataset-config";
import { SOURCE_SEPARATOR } from "@accord/contracts/insights/dataset-config";
import { kindOf } from "@accord/expressions";
import type { DatasetProblem } from "./problems.ts";
import type { Expr, QueryJoin } from "./query.ts";
import type { ResolvedSource, SourceField } from "./sources.ts";

type JoinType = QueryJoin["type"];
const MIRRORED: Record<JoinType, JoinType> = { INNER: "INNER", LEFT: "RIGHT", RIGHT: "LEFT", FULL: "FULL" };

/** `datasetId::apiName::datasetId::apiName` of both sides. */
export const joinIdOf = (join: Pick<DatasetJoin, "field1" | "field2">): string =>
  [join.field1.datasetId, join.field1.apiName, join.field2.datasetId, join.field2.apiName].join(SOURCE_SEPARATOR);

export function resolveJoins(
  config: DatasetConfig,
  sources: ReadonlyMap<string, ResolvedSource>,
  problems: DatasetProblem[],
): QueryJoin[] {
  const first = config.sources[0]?.datasourceAlias;
  /** Aliases in the order they came in. */
  const order = first === undefined ? [] : [first];
  const joins = new Map<string, QueryJoin>();
  config.joins.forEach((join, index) => {
    const path = `joins.${index}`;
    const left = sideOf(join.field1, sources, `${path}.field1`, problems);
    const right = sideOf(join.field2, sources, `${path}.field2`, problems);
    if (!left || !right) return;
    if (!comparable(left.field, right.field)) {
      const facts = { name: left.field.displayName, other: right.field.displayName };
      problems.push({ path, code: "join_field_types", facts });
      return;
    }
    const place = (side: Side): number =>
      order.includes(side.source.alias) ? order.indexOf(side.source.alias) : Infinity;
    const [known, added] = place(left) < place(right) ? [left, right] : [right, left];
    const type = known === left ? join.joinType : MIRRORED[join.joinType];
    const on: [Expr, Expr] = [known.field.expr, added.field.expr];
    if (place(known) === place(added) || place(known) === Infinity) {
      problems.push({ path, code: "join_not_connected", facts: { name: added.source.alias } });
      return;
    }
    const earlier = joins.get(added.source.alias);
    if (!earlier) {
      order.push(added.source.alias);
      joins.set(added.source.alias, { type, table: added.source.table, on: [on] });
    } else if (earlier.type === type) earlier.on.push(on);
    else problems.push({ path, code: "join_types_mixed", facts: { name: added.source.alias } });
  });
  config.sources.forEach((source, index) => {
    if (sources.has(source.datasourceAlias) && !order.includes(source.datasourceAlias))
      problems.push({ path: `sources.${index}`, code: "source_not_joined", facts: { name: source.datasourceAlias } });
  });
  return [...joins.values()];
}

interface Side {
  source: ResolvedSource;
  field: SourceField;
}

function sideOf(
  side: DatasetJoin["field1"],
  sources: ReadonlyMap<string, ResolvedSource>,
  path: string,
  problems: DatasetProblem[],
): Side | null {
  const source = sources.get(side.datasourceAlias);
  const field = source?.fields.get(side.apiName);
  if (source && field) return { source, field };
  problems.push({ path, code: "field_unknown", facts: { name: `${side.datasourceAlias}.${side.apiName}` } });
  return null;
}

/** Text joins text, numbers join numbers, and so on; references and picklists hold text. */
function comparable(left: SourceField, right: SourceField): boolean {
  const [one, other] = [joinKind(left), joinKind(right)];
  return one !== null && one === other;
}

function joinKind(field: SourceField): string | null {
  const kind = kindOf({ dataType: field.dataType, isMultiValueField: field.multi });
  switch (kind) {
    case "text":
    case "id":
      return "text";
    case "integer":
    case "decimal":
    case "double":
      return "number";
    case "list":
    case "object":
      return null;
    default:
      return kind;
  }
}
