/** The mapper over the graph: opened from the form of a source or destination, at the node that the address names. */
import type { Id } from "@accord/contracts";
import { listRecords } from "@accord/contracts/data/records";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { isSink, isSource, nodeTitle } from "@accord/sync-engine/graph";
import { FormSkeleton } from "@accord/ui";
import { Button, Modal, Select } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useMemo, useState, type KeyboardEvent, type ReactNode } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { samplesOf, valueText } from "../../new-pipeline/preview.model.ts";
import { useSetSearch } from "../address.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import { useConnectorEntity, useConnectors, useCoreEntity, useSamples } from "../queries.ts";
import type { EditorSearch } from "../routes.tsx";
import { CreateFieldDialog } from "./create-field-dialog.tsx";
import { mappedNodes, withLine, type MappedNodes } from "./mapper.model.ts";
import { MapperView } from "./mapper-view.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

/** Any source or destination, where the address does not say which. */
export const FIRST_NODE = "first";

export function MapperDialog({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const { mapper }: EditorSearch = useSearch({ strict: false });
  const setSearch = useSetSearch();
  const graph = useEditor((state) => state.graph);
  const places = graph.nodes.filter((node) => isPlace(node) && node.configuration.entityDefinition);
  const node = places.find(({ id }) => id === mapper) ?? (mapper === FIRST_NODE ? places[0] : undefined);
  if (!node) return null;
  const close = () => setSearch({ mapper: undefined });
  return (
    <Modal
      opened
      fullScreen
      onClose={close}
      // Escape cancels a line first.
      closeOnEscape={false}
      onKeyDown={(event) => isLeaving(event) && close()}
      closeButtonProps={{ "aria-label": t("mapper.done") }}
      title={t("mapper.title", { name: nodeTitle(node) })}
      classNames={{ body: "ac-mapper__body", content: "ac-mapper__content" }}
    >
      <OpenMapper
        key={node.id}
        entityId={entityId}
        nodes={mappedNodes(graph, node.id)}
        connectorId={node.configuration.connectorId ?? ""}
        entityApiName={node.configuration.entityDefinition ?? ""}
        start={
          places.length > 1 ? (
            <Select
              aria-label={t("mapper.node")}
              data={places.map((one) => ({ value: one.id, label: nodeTitle(one) }))}
              value={node.id}
              allowDeselect={false}
              onChange={(id) => setSearch({ mapper: id ?? undefined })}
            />
          ) : null
        }
        end={<Button onClick={close}>{t("mapper.done")}</Button>}
      />
    </Modal>
  );
}

/** Escape that nothing inside has taken for itself: no list that is open, and no dialog above. */
const isLeaving = ({ key, target, currentTarget }: KeyboardEvent): boolean =>
  key === "Escape" &&
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest("[data-mantine-stop-propagation=true]") === null;

type Node = Parameters<typeof isSource>[0];
const isPlace = (node: Node): boolean => isSource(node) || isSink(node);

interface OpenProps {
  entityId: Id<"entity">;
  nodes: MappedNodes;
  connectorId: string;
  entityApiName: string;
  start: ReactNode;
  end: ReactNode;
}

const SAMPLES = 10;

function OpenMapper({ entityId, nodes, connectorId, entityApiName, start, end }: OpenProps) {
  const store = useEditorStore();
  const isLocked = useLocked();
  const mayCreate = useCan("WRITE_STUDIO") && !isLocked;
  const connector = useConnectors().data?.connectors.find(({ id }) => id === connectorId);
  const entity = useConnectorEntity(connectorId, entityApiName);
  const core = useCoreEntity(entityId);
  const samples = useSamples(connector?.status === "ACTIVE" ? { connectorId, entityApiName } : undefined);
  const records = useEndpoint(
    listRecords,
    { params: { entityId }, query: { count: SAMPLES } },
    { enabled: useCan("READ_DATA_STUDIO"), staleTime: 60_000 },
  );
  const [creating, setCreating] = useState<FieldSchema>();
  const connectorFields = entity.data?.schema.fields;
  const coreFields = core.data?.fields;
  const words = useMemo(
    () => ({
      system: sampleWords(connectorFields ?? [], samples.data?.records.map(({ values }) => values) ?? []),
      core: sampleWords(coreFields ?? [], records.data?.records.map(({ values }) => values) ?? []),
    }),
    [connectorFields, coreFields, samples.data, records.data],
  );
  const error = entity.error ?? core.error;
  const failed = error ? <RefusalBox error={error} /> : null;
  if (!connectorFields || !core.data || !coreFields) return failed ?? <FormSkeleton fields={6} />;
  return (
    <>
      {failed}
      <MapperView
        nodes={nodes}
        connectorName={connector?.name ?? entityApiName}
        entityName={core.data.displayName}
        connectorFields={connectorFields}
        coreFields={coreFields}
        samples={words}
        onCreateField={mayCreate ? setCreating : undefined}
        start={start}
        end={end}
      />
      {creating ? (
        <CreateFieldDialog
          key={creating.apiName}
          entity={core.data}
          connectorId={connectorId}
          entityApiName={entityApiName}
          source={creating}
          onClose={() => setCreating(undefined)}
          onCreated={(coreField) => {
            const pair = { connectorField: creating.apiName, coreField };
            const direction = nodes.source ? "source" : "sink";
            store.getState().edit((graph) => withLine(graph, nodes, pair, direction));
            // Another field's dialog may be open by now.
            setCreating((open) => (open === creating ? undefined : open));
          }}
        />
      ) : null}
    </>
  );
}

function sampleWords(fields: readonly FieldSchema[], records: readonly Values[]): Map<string, string> {
  return new Map(
    fields.map((field) => [field.apiName, samplesOf(field, records, 2).map(valueText).join(" · ")] as const),
  );
}
