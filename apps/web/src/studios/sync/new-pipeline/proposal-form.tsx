/** Everything but the source: the core entity, the mapping, matching, the way back, ten records, and making it all. */
import type { Connector, ConnectorEntity } from "@accord/contracts/connections/connectors";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { CoreChoice } from "./parts/core-choice.tsx";
import { MakePipeline } from "./parts/make-pipeline.tsx";
import { MappingCard } from "./parts/mapping-card.tsx";
import { MatchCard } from "./parts/match-card.tsx";
import { PreviewCard } from "./parts/preview-card.tsx";
import { WayBackCard } from "./parts/way-back-card.tsx";
import { pipelineGraph } from "./pipeline-graph.ts";
import { firstChoices, firstTarget, isMadeFrom, proposalOf, type Choices } from "./proposal.model.ts";
import { usePreview } from "./queries.ts";
import { useCreatePipeline } from "./use-create-pipeline.ts";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";

interface Props {
  connector: Connector;
  entity: ConnectorEntity;
  /** Entities of the unified model, drafts among them. */
  existing: readonly CoreEntity[];
  /** Published ones without a pipeline. */
  unmapped: readonly CoreEntity[];
}

export function ProposalForm({ connector, entity, existing, unmapped }: Props) {
  const { t } = useWords("sync");
  const isFromHere = (core: CoreEntity): boolean => isMadeFrom(core, connector, entity);
  const [target, setTarget] = useTarget(unmapped, () => firstTarget(connector, entity, unmapped));
  const [name, setName] = useState(entity.displayName);
  const [proposed] = useState<Choices>(() => firstChoices(entity.schema));
  const [choices, setChoices] = useState(proposed);
  useUnsavedChanges(choices !== proposed || name !== entity.displayName);
  const change = (part: Partial<Choices>) => setChoices({ ...choices, ...part });
  const preview = usePreview(connector.id, entity.apiName);
  const records = preview.data?.records.map(({ values }) => values) ?? [];
  const proposal = proposalOf({ connector, entity, target: target ?? undefined, existing, choices });
  const making = useCreatePipeline();
  const { made } = making.state;
  const coreName = target?.displayName ?? name.trim();
  const writesBack = choices.writesBack && proposal.noWayBack === undefined;
  // Chosen fields decide which entity is made.
  const isLocked = target === undefined && making.state.isEntityFixed;

  const submit = (publishes: boolean) =>
    making.submit({
      into: target ?? {
        connectorId: connector.id,
        entityApiName: entity.apiName,
        fields: proposal.mappings.map(({ connectorField }) => connectorField),
        displayName: name.trim(),
      },
      graphOf: (draft) =>
        pipelineGraph(
          draft,
          {
            connector,
            entity,
            mappings: proposal.mappings,
            matchOn: proposal.matchOn,
            matchLabel: t("newPipeline.matchLabel"),
            back: writesBack ? proposal.back : null,
          },
          making.idOf,
        ),
      versionName: publishes
        ? t("newPipeline.versionName", { entity: entity.displayName, system: connector.name }).slice(0, 120)
        : undefined,
    });
  const problem =
    target === null
      ? t("newPipeline.chooseEntity")
      : coreName === ""
        ? t("newPipeline.coreNameMissing")
        : proposal.mappings.length === 0
          ? t("newPipeline.mapOne")
          : undefined;
  return (
    <>
      <CoreChoice
        target={target}
        name={name}
        unmapped={unmapped}
        madeBefore={existing.filter((one) => isFromHere(one) && one.id !== made.entity?.id)}
        isLocked={isLocked}
        onTarget={(next) => {
          setTarget(next);
          setChoices({ ...choices, chosen: new Map(), matchOn: undefined });
          making.restart();
        }}
        onName={setName}
      />
      <MappingCard
        connector={connector}
        entity={entity}
        target={target ?? undefined}
        proposal={proposal}
        choices={choices}
        records={records}
        isLocked={isLocked}
        onChange={change}
      />
      <MatchCard proposal={proposal} choices={choices} onChange={change} />
      <WayBackCard connector={connector} entity={entity} proposal={proposal} choices={choices} onChange={change} />
      <PreviewCard entity={entity} rows={proposal.rows} preview={preview} />
      <MakePipeline making={making} name={coreName} problem={problem} onSubmit={submit} />
    </>
  );
}

/** The core entity that is chosen, as it is now: what is shown of it is what is published. */
function useTarget(unmapped: readonly CoreEntity[], first: () => CoreEntity | undefined) {
  const [chosen, choose] = useState<CoreEntity | null | undefined>(first);
  return [chosen ? (unmapped.find(({ id }) => id === chosen.id) ?? chosen) : chosen, choose] as const;
}
