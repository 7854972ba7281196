/** The proposed mapping, the key first: each field with its type and values of now, where it goes, or why it is left out. */
import { type Connector, type ConnectorEntity, listConnectorEntities } from "@accord/contracts/connections/connectors";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { mappingFits } from "@accord/sync-engine/graph";
import { Card, SearchSelect, StatusTag } from "@accord/ui";
import { Checkbox } from "@mantine/core";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { useTypeWords } from "../../../../shared/words/type-words.ts";
import { samplesOf, valueText } from "../preview.model.ts";
import type { Choices, LostReference, ProposedRow, Proposal } from "../proposal.model.ts";

interface Props {
  connector: Connector;
  entity: ConnectorEntity;
  /** The core entity, where it exists already. */
  target: CoreEntity | undefined;
  proposal: Proposal;
  choices: Choices;
  records: readonly Values[];
  isLocked: boolean;
  onChange: (part: Partial<Choices>) => void;
}

export function MappingCard(props: Props) {
  const { t } = useWords("sync");
  const { connector, entity, proposal } = props;
  const { rows, mappings } = proposal;
  return (
    <Card title={t("newPipeline.mapping")}>
      <p className="ac-new-pipeline__hint">
        {t("newPipeline.mappingLead", { mapped: mappings.length, all: rows.length, entity: entity.displayName })}
      </p>
      <div className="ac-new-pipeline__scroll" tabIndex={0} role="region" aria-label={t("newPipeline.mapping")}>
        <table className="ac-new-pipeline__mapping">
          <thead>
            <tr>
              <th scope="col">{t("newPipeline.systemField", { system: connector.name })}</th>
              <th scope="col">{t("newPipeline.samples")}</th>
              <th aria-hidden />
              <th scope="col">{t("newPipeline.coreField")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.field.apiName} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Row({ row, connector, target, choices, records, isLocked, onChange }: Props & { row: ProposedRow }) {
  const { t } = useWords("sync");
  const { field, core, leftOut } = row;
  const isTaken = leftOut === undefined || leftOut === "noField" || leftOut === "typeDiffers";
  const samples = samplesOf(field, records).map(valueText).join(" · ");
  const toggle = (takes: boolean) => {
    const excluded = new Set(choices.excluded);
    if (takes) excluded.delete(field.apiName);
    else excluded.add(field.apiName);
    onChange({ excluded });
  };
  return (
    <tr data-left-out={leftOut !== undefined || undefined}>
      <th scope="row">
        <Checkbox
          label={<FieldName field={field} />}
          aria-label={t("newPipeline.take", { field: field.displayName || field.apiName })}
          checked={isTaken}
          disabled={isLocked || leftOut === "inactive"}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {field.isIdField ? (
          <p className="ac-new-pipeline__note">{t("newPipeline.keyIsId", { system: connector.name })}</p>
        ) : null}
      </th>
      <td className="ac-new-pipeline__samples" title={samples}>
        {samples || <span>{t("newPipeline.noSamples")}</span>}
      </td>
      <td aria-hidden>{core ? <IconArrowNarrowRight size={16} /> : null}</td>
      <td>
        {target && isTaken ? (
          <CoreField row={row} target={target} choices={choices} onChange={onChange} />
        ) : core ? (
          <FieldName field={core} />
        ) : null}
        {leftOut ? (
          <p className="ac-new-pipeline__note">
            {t(`newPipeline.leftOut.${leftOut}`, { entity: target?.displayName ?? "" })}
          </p>
        ) : null}
        {row.lostReference ? <LostReferenceNote row={row} connector={connector} why={row.lostReference} /> : null}
      </td>
    </tr>
  );
}

/** The relation is not kept: why, and the way to keep it. */
function LostReferenceNote({
  row: { field },
  connector,
  why,
}: Pick<Props, "connector"> & { row: ProposedRow; why: LostReference }) {
  const { t } = useWords("sync");
  const entities = useEndpoint(listConnectorEntities, { params: { connectorId: connector.id } });
  const { referenceTo = "" } = field;
  const entity = entities.data?.entities.find(({ apiName }) => apiName === referenceTo)?.displayName ?? referenceTo;
  return (
    <p className="ac-new-pipeline__warning">
      {t(`newPipeline.lostReference.${why}`, { entity, system: connector.name })}{" "}
      {why === "notInModel" ? (
        <Link to="/sync-studio/new-pipeline" search={{ connectorId: connector.id, entity: referenceTo }}>
          {t("newPipeline.lostReference.make", { entity })}
        </Link>
      ) : null}
    </p>
  );
}

function FieldName({ field }: { field: FieldSchema }) {
  const { t } = useWords("sync");
  const typeWord = useTypeWords();
  return (
    <span className="ac-new-pipeline__field">
      <span>{field.displayName || field.apiName}</span>
      <small>{typeWord(field.dataType)}</small>
      {field.isIdField ? <StatusTag tone="info">{t("newPipeline.key")}</StatusTag> : null}
      {field.unique && !field.isIdField ? <StatusTag tone="idle">{t("newPipeline.unique")}</StatusTag> : null}
    </span>
  );
}

type CoreFieldProps = Pick<Props, "choices" | "onChange"> & { row: ProposedRow; target: CoreEntity };

/** Fields of an existing entity that can take the values. */
function CoreField({ row: { field, core }, target, choices, onChange }: CoreFieldProps) {
  const { t } = useWords("sync");
  const options = target.fields.filter(
    (one) => one.status === "ACTIVE" && !one.isSystem && mappingFits(field, one, "source"),
  );
  return (
    <SearchSelect
      aria-label={`${t("newPipeline.coreField")}: ${field.displayName || field.apiName}`}
      placeholder={t("newPipeline.notMapped")}
      data={options.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
      value={core?.apiName ?? null}
      allowDeselect={false}
      limit={80}
      onChange={(apiName) => {
        if (apiName === null) return;
        // A core field has one source in a mapping.
        const others = [...choices.chosen].filter(([, taken]) => taken !== apiName);
        onChange({ chosen: new Map([...others, [field.apiName, apiName]]) });
      }}
    />
  );
}
