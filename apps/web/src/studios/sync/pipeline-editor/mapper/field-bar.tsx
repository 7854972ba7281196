/** What can be done with the field that is chosen: its lines with their directions, its proposal, a field for it. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import {
  directionsFor,
  type Direction,
  type Line,
  type MappedNodes,
  type MapperFields,
  type ProposedLine,
} from "./mapper.model.ts";
import { nameOf, type Drawing, type Spot } from "./use-drawing.ts";

interface Props {
  spot: Spot | undefined;
  nodes: MappedNodes;
  fields: MapperFields;
  lines: readonly Line[];
  proposals: readonly ProposedLine[];
  drawing: Drawing;
  isLocked: boolean;
  /** Absent for somebody who may not change the core entity. */
  onCreateField: ((field: FieldSchema) => void) | undefined;
}

export function FieldBar(props: Props) {
  const { t } = useWords("sync");
  const { spot, fields, lines, proposals, isLocked, onCreateField } = props;
  if (!spot) return <p className="ac-mapper__bar">{t("mapper.nothingChosen")}</p>;
  const isHere = (line: Line): boolean =>
    (spot.side === "system" ? line.connectorField : line.coreField) === spot.field;
  const field = (spot.side === "system" ? fields.connectorFields : fields.coreFields).find(
    ({ apiName }) => apiName === spot.field,
  );
  const name = nameOf(field, spot.field);
  const [own, proposal] = [lines.filter(isHere), proposals.find(isHere)];
  const mayCreate = spot.side === "system" && field?.status === "ACTIVE" && own.length === 0 && !isLocked;
  return (
    <section className="ac-mapper__bar" aria-label={t("mapper.lines", { field: name })}>
      {own.length === 0 ? <span>{t("mapper.noLines", { field: name })}</span> : null}
      {own.map((line) => (
        <LineTools key={`${line.connectorField} ${line.coreField}`} line={line} {...props} />
      ))}
      {proposal ? <Proposal proposal={proposal} {...props} /> : null}
      {mayCreate && onCreateField ? (
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={() => onCreateField(field)}>
          {t("mapper.createField", { field: name })}
        </Button>
      ) : null}
    </section>
  );
}

function LineTools({ line, nodes, fields, drawing, isLocked }: Props & { line: Line }) {
  const { t } = useWords("sync");
  const names = drawing.namesOf(line);
  const connector = fields.connectorFields.find(({ apiName }) => apiName === line.connectorField);
  const core = fields.coreFields.find(({ apiName }) => apiName === line.coreField);
  const possible = connector && core ? directionsFor(nodes, connector, core) : [];
  const choices = possible.includes(line.direction) ? possible : [...possible, line.direction];
  return (
    <span className="ac-mapper__tools">
      <strong>
        {names.from} – {names.to}
      </strong>
      {choices.length > 1 ? (
        <SegmentedControl
          size="xs"
          aria-label={t("mapper.directionOf", names)}
          data={choices.map((value) => ({ value, label: t(`mapper.direction.${value}`) }))}
          value={line.direction}
          disabled={isLocked}
          onChange={(value) => {
            const wanted = choices.find((one): one is Direction => one === value);
            if (wanted) drawing.setDirection(line, wanted);
          }}
        />
      ) : (
        <span>{t(`mapper.direction.${line.direction}`)}</span>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t("mapper.removeLine", names)}
        disabled={isLocked}
        onClick={() => drawing.remove([line])}
      >
        <IconTrash size={15} />
      </ActionIcon>
    </span>
  );
}

function Proposal({ proposal, drawing, spot, isLocked }: Props & { proposal: ProposedLine }) {
  const { t } = useWords("sync");
  const names = drawing.namesOf(proposal);
  return (
    <span className="ac-mapper__tools">
      <span>
        {t("mapper.proposed", { to: spot?.side === "core" ? names.from : names.to })}.{" "}
        {t(`mapper.reason.${proposal.reason}`)}.
      </span>
      <Button
        variant="light"
        size="xs"
        aria-label={t("mapper.acceptOne", names)}
        disabled={isLocked}
        onClick={() => drawing.join(proposal, proposal.direction)}
      >
        {t("mapper.accept")}
      </Button>
    </span>
  );
}
