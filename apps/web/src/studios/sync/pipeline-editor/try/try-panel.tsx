/** The panel of trying a record: chooses it, by search or pasted, and shows what would come of it at the core and each destination. */
import { EmptyState, ErrorBox, SidePanel } from "@accord/ui";
import { Button, Group, SegmentedControl, Select } from "@mantine/core";
import { IconLock, IconRefresh, IconX } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { RecordToTry } from "@accord/contracts/sync/tests/try-record";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { RecordPaste } from "./record-paste.tsx";
import { RecordSearch } from "./record-search.tsx";
import { editable } from "./try.model.ts";
import { useTried, useTryStore } from "./try-context.tsx";
import { TryError, TryState } from "./try-state.tsx";
import { TrySummary } from "./try-summary.tsx";
import "./try.css";

interface Props {
  entityId: Id<"entity">;
  mayWrite: boolean;
  onClose: () => void;
  onGoTo: (nodeId: string) => void;
}

export function TryPanel({ entityId, mayWrite, onClose, onGoTo }: Props) {
  const { t } = useWords("sync");
  const own = useEditor((state) => state.graph);
  const scope = useFieldScope();
  // The records of a field are those that the entity pipeline reads.
  const sources = (scope?.entityGraph ?? own).nodes.filter(
    ({ nodeType, configuration }) =>
      nodeType === "ENTITY_SOURCE" && configuration.connectorId && configuration.entityDefinition,
  );
  return (
    <SidePanel title={t("try.title")} subtitle={t("try.lead")} width={420} onClose={onClose} takeFocus>
      {!mayWrite ? (
        <EmptyState compact icon={<IconLock size={20} />} title={t("try.noPermission")} />
      ) : sources.length === 0 ? (
        <EmptyState compact title={t("try.noSource")} body={t(scope ? "try.noEntitySource" : "try.noSourceHint")} />
      ) : (
        <Trying entityId={entityId} sources={sources} onGoTo={onGoTo} />
      )}
    </SidePanel>
  );
}

function Trying({ entityId, sources, onGoTo }: Pick<Props, "entityId" | "onGoTo"> & { sources: readonly GraphNode[] }) {
  const chosen = useTried((state) => state.chosen);
  const [isChanging, setChanging] = useState(false);
  /** Values of the record that was chosen, to begin with. */
  const [edited, setEdited] = useState<{ externalId: string; text: string }>();
  const sent = useTried((state) => state.result?.record);
  const pasted = chosen?.record.kind === "values" ? chosen.record : sent;
  const known = pasted && { externalId: pasted.externalId, text: editable(pasted.values) };
  if (!chosen || isChanging || edited)
    return (
      <ChooseRecord
        key={edited?.externalId}
        entityId={entityId}
        sources={sources}
        edited={edited}
        onChosen={() => {
          setChanging(false);
          setEdited(undefined);
        }}
      />
    );
  return (
    <>
      <Chosen onChange={() => setChanging(true)} onEdit={known && (() => setEdited(known))} />
      <Until />
      <TryError />
      <TrySummary onGoTo={onGoTo} />
    </>
  );
}

function Chosen({ onChange, onEdit }: { onChange: () => void; onEdit: (() => void) | undefined }) {
  const { t } = useWords("sync");
  const store = useTryStore();
  const chosen = useTried((state) => state.chosen);
  const assumed = useTried((state) => state.result?.record.assumed ?? NONE);
  return (
    <section className="ac-try__chosen" aria-label={t("try.trying")}>
      <div className="ac-try__line">
        <strong>{chosen?.name}</strong>
        <TryState />
      </div>
      <Group gap={6}>
        <Button variant="default" size="compact-sm" onClick={onChange}>
          {t("try.change")}
        </Button>
        {onEdit ? (
          <Button variant="default" size="compact-sm" onClick={onEdit}>
            {t("try.editValues")}
          </Button>
        ) : null}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} />}
          onClick={() => store.getState().runAgain()}
        >
          {t("try.again")}
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconX size={14} />}
          onClick={() => store.getState().choose(null)}
        >
          {t("try.stop")}
        </Button>
      </Group>
      {assumed.length > 0 ? (
        <ErrorBox tone="info" message={t("try.assumed", { count: assumed.length, fields: assumed.join(", ") })} />
      ) : null}
    </section>
  );
}

const NONE: readonly string[] = [];
const WHOLE = "";

/** Where the run ends. */
function Until() {
  const { t } = useWords("sync");
  const store = useTryStore();
  const nodes = useEditor((state) => state.graph.nodes);
  const until = useTried((state) => state.untilNodeId);
  const ends = nodes.filter(({ nodeType }) => nodeType !== "CUSTOM_GROUP");
  return (
    <Select
      className="ac-try__until"
      label={t("try.until")}
      data={[
        { value: WHOLE, label: t("try.untilEnd") },
        ...ends.map((node) => ({ value: node.id, label: nodeTitle(node) })),
      ]}
      value={ends.some(({ id }) => id === until) ? until : WHOLE}
      allowDeselect={false}
      searchable={ends.length > 8}
      onChange={(nodeId) => store.getState().runTo(nodeId || null)}
    />
  );
}

interface ChooseProps {
  entityId: Id<"entity">;
  sources: readonly GraphNode[];
  edited: { externalId: string; text: string } | undefined;
  onChosen: () => void;
}

function ChooseRecord({ entityId, sources, edited, onChosen }: ChooseProps) {
  const { t } = useWords("sync");
  const store = useTryStore();
  const [way, setWay] = useState(edited ? "paste" : "search");
  const [wanted, setWanted] = useState(() => store.getState().chosen?.nodeId);
  const source = sources.find(({ id }) => id === wanted) ?? sources[0];
  if (!source) return null;
  const choose = (record: RecordToTry, name: string): void => {
    store.getState().choose({ nodeId: source.id, record, name });
    onChosen();
  };
  return (
    <div className="ac-try__choose">
      {sources.length > 1 ? (
        <Select
          label={t("try.source")}
          data={sources.map((node) => ({ value: node.id, label: nodeTitle(node) }))}
          value={source.id}
          allowDeselect={false}
          onChange={(nodeId) => setWanted(nodeId ?? source.id)}
        />
      ) : null}
      <SegmentedControl
        aria-label={t("try.way")}
        fullWidth
        data={[
          { value: "search", label: t("try.search") },
          { value: "paste", label: t("try.paste") },
        ]}
        value={way}
        onChange={setWay}
      />
      {way === "paste" ? (
        <RecordPaste begun={edited} onChoose={choose} />
      ) : (
        <RecordSearch key={source.id} entityId={entityId} source={source} onChoose={choose} />
      )}
    </div>
  );
}
