/** A new pipeline on one page: the source is chosen, everything else is proposed and can be changed before publishing. */
import { FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button } from "@mantine/core";
import type { Connector } from "@accord/contracts/connections/connectors";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryError, QueryView } from "../../../shared/query-view.tsx";
import { useConnectorEntity } from "../pipeline-editor/queries.ts";
import { SourceCard, SourcePicker } from "./parts/source-picker.tsx";
import { offeredTargets } from "./proposal.model.ts";
import { ProposalForm } from "./proposal-form.tsx";
import { useCoreEntities, usePublishedEntities, useSystems, useUnmapped } from "./queries.ts";
import "./new-pipeline.css";

const route = getRouteApi("/signed-in/sync-studio/new-pipeline");

export function NewPipelineScreen() {
  return (
    <Demand anyOf={["WRITE_STUDIO"]}>
      <NewPipeline />
    </Demand>
  );
}

function NewPipeline() {
  const { t } = useWords("sync");
  usePage({
    title: t("newPipeline.title"),
    crumbs: [{ label: t("title"), to: "/sync-studio" }, { label: t("newPipeline.title") }],
  });
  const { connectorId, entity } = route.useSearch();
  const navigate = route.useNavigate();
  const systems = useSystems();
  const choose = (chosen: { connectorId: string; entity: string } | undefined) =>
    void navigate({ search: chosen ?? {}, replace: true });
  return (
    <PageBody>
      <PageHeader title={t("newPipeline.title")} subtitle={t("newPipeline.lead")} />
      <QueryView query={systems} skeleton={<FormSkeleton fields={3} />}>
        {({ connectors }) => {
          const connector = connectors.find(({ id }) => id === connectorId);
          const picker = <SourcePicker connectors={connectors} onChoose={choose} />;
          if (!connector || !entity) return picker;
          return (
            <OnceTrue key={`${connector.id} ${entity}`} isTrue={connector.status === "ACTIVE"} otherwise={picker}>
              <Chosen connector={connector} entityApiName={entity} onChange={() => choose(undefined)} />
            </OnceTrue>
          );
        }}
      </QueryView>
    </PageBody>
  );
}

/** Stays open once it was: what was typed outlives a system that is no longer active, or an entity that is gone. */
function OnceTrue({ isTrue, otherwise, children }: { isTrue: boolean; otherwise: ReactNode; children: ReactNode }) {
  const [wasTrue, setWasTrue] = useState(isTrue);
  if (isTrue && !wasTrue) setWasTrue(true);
  return isTrue || wasTrue ? children : otherwise;
}

interface ChosenProps {
  connector: Connector;
  entityApiName: string;
  onChange: () => void;
}

/** With a source chosen: everything that the proposal is made from has to be known. */
function Chosen({ connector, entityApiName, onChange }: ChosenProps) {
  const entity = useConnectorEntity(connector.id, entityApiName);
  const core = useCoreEntities();
  const published = usePublishedEntities();
  const unmapped = useUnmapped();
  const { t } = useWords("sync");
  const skeleton = <FormSkeleton fields={4} />;
  if (entity.isError && entity.data === undefined)
    return (
      <>
        <QueryError error={entity.error} onRetry={() => void entity.refetch()} />
        <Button variant="default" onClick={onChange} mx="auto">
          {t("newPipeline.change")}
        </Button>
      </>
    );
  return (
    <QueryView query={entity} skeleton={skeleton}>
      {(source) => (
        <>
          <SourceCard connector={connector} entity={source} onChange={onChange} />
          <OnceTrue isTrue={source.problem === null && source.status === "ACTIVE"} otherwise={null}>
            <QueryView query={core} skeleton={skeleton}>
              {({ entities }) => (
                <QueryView query={published} skeleton={skeleton}>
                  {(publishedOnes) => (
                    <QueryView query={unmapped} skeleton={skeleton}>
                      {({ rows }) => (
                        <ProposalForm
                          connector={connector}
                          entity={source}
                          existing={entities}
                          unmapped={offeredTargets(connector, source, {
                            existing: entities,
                            published: publishedOnes.entities,
                            unmapped: rows.map(({ id }) => id),
                          })}
                        />
                      )}
                    </QueryView>
                  )}
                </QueryView>
              )}
            </QueryView>
          </OnceTrue>
        </>
      )}
    </QueryView>
  );
}
