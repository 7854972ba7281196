/** Values in an explanation: what would change, what would be kept out, and what is said to a destination field by field. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import type { ExplainedDestination, ExplainedSource, ExplainedStep } from "@accord/contracts/sync/monitoring/explain";
import { IconArrowRight } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { textOf } from "../value.model.ts";

function useFieldWords(entity: CoreEntity) {
  const { t } = useWords("data");
  const fieldOf = (apiName: string) => entity.fields.find((field) => field.apiName === apiName);
  return {
    name: (apiName: string): string => fieldOf(apiName)?.displayName ?? apiName,
    value: (apiName: string, value: Value): string => {
      const field = fieldOf(apiName);
      const text = field ? textOf(field, value) : value === null ? "" : JSON.stringify(value);
      return text || t("explain.nothing");
    },
  };
}

interface ChangesProps {
  entity: CoreEntity;
  changes: ExplainedStep["changes"];
  title?: string;
}

export function ExplainedChanges({ entity, changes, title }: ChangesProps) {
  const { t } = useWords("data");
  const words = useFieldWords(entity);
  if (changes.length === 0) return null;
  return (
    <>
      {title ? <h4>{title}</h4> : null}
      <dl className="ac-explained__changes">
        {changes.map(({ field, from, to }) => (
          <div key={field}>
            <dt>{words.name(field)}</dt>
            <dd>
              <span className="ac-explained__old">{words.value(field, from)}</span>
              <IconArrowRight size={14} aria-label={t("lineage.to")} />
              <span>{words.value(field, to)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function ExplainedRefusals({ entity, refused }: { entity: CoreEntity; refused: ExplainedSource["refused"] }) {
  const { t } = useWords("data");
  const words = useFieldWords(entity);
  if (refused.length === 0) return null;
  return (
    <>
      <h4>{t("explain.refused")}</h4>
      <dl className="ac-explained__changes">
        {refused.map(({ field, value, message }) => (
          <div key={field}>
            <dt>{words.name(field)}</dt>
            <dd>
              <span>{words.value(field, value)}</span>
              <small>{message}</small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface FieldsProps {
  entity: CoreEntity;
  fields: ExplainedDestination["fields"];
}

/** Opened where something is not there yet; a place that holds all of it keeps its list folded. */
export function ExplainedFields({ entity, fields }: FieldsProps) {
  const { t } = useWords("data");
  const words = useFieldWords(entity);
  if (fields.length === 0) return null;
  const isNews = fields.some(({ verdict }) => verdict === "not_convertible" || verdict === "reference_unknown");
  return (
    <details className="ac-explained__more" open={isNews}>
      <summary>{t("explain.values", { count: fields.length })}</summary>
      <div className="ac-explained__scroll">
        <table className="ac-explained__fields">
          <thead>
            <tr>
              <th scope="col">{t("explain.coreField")}</th>
              <th scope="col">{t("explain.value")}</th>
              <th scope="col">{t("explain.there")}</th>
              <th scope="col">{t("explain.verdict")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ coreField, connectorField, value, verdict, message }) => (
              <tr key={`${coreField} ${connectorField}`} data-verdict={verdict}>
                <th scope="row">{words.name(coreField)}</th>
                <td>{words.value(coreField, value)}</td>
                <td className="ac-explained__there">{connectorField}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
