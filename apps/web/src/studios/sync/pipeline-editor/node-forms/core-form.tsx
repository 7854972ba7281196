/** The form of the core entity: which source may set a field when systems disagree, and what counts as a duplicate. */
import { ActionIcon, Select, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { CoreConfiguration } from "@accord/contracts/sync/graph";
import { AUTHORITIES } from "@accord/contracts/sync/matching";
import { isSource, nodeTitle } from "@accord/sync-engine/graph";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import type { NodeFormProps } from "./node-form-props.ts";
import { FieldPipelineList } from "../field-pipeline/field-link.tsx";
import { DuplicateOptions } from "./duplicate-options.tsx";

export function CoreForm(props: NodeFormProps) {
  const { entityId, configuration, readOnly, onChange } = props;
  const { t } = useWords("sync");
  const nodes = useEditor((state) => state.graph.nodes);
  const sources = nodes.filter(isSource);
  const core = CoreConfiguration.safeParse(configuration).data ?? CoreConfiguration.parse({});
  const ranked = [
    ...core.ranking.flatMap((id) => sources.filter((node) => node.id === id)),
    ...sources.filter((node) => !core.ranking.includes(node.id)),
  ];
  const rank = (ids: string[]) => onChange({ ...configuration, ranking: ids });
  const swap = (index: number, by: number) => {
    const ids = ranked.map((node) => node.id);
    const [moved] = ids.splice(index, 1);
    if (moved) ids.splice(index + by, 0, moved);
    rank(ids);
  };
  return (
    <>
      <Select
        label={t("configure.authority")}
        data={AUTHORITIES.map((value) => ({ value, label: t(`configure.authority${value}`) }))}
        value={core.authority}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(value) =>
          onChange({
            ...configuration,
            authority: value ?? "NONE",
            ranking: value === "RANKED" ? ranked.map((node) => node.id) : core.ranking,
          })
        }
      />
      {core.authority === "SELECTED" ? (
        <Select
          label={t("configure.selectedSource")}
          data={sources.map((node) => ({ value: node.id, label: nodeTitle(node) }))}
          value={core.selectedSource ?? null}
          allowDeselect={false}
          disabled={readOnly}
          onChange={(value) => onChange({ ...configuration, selectedSource: value ?? undefined })}
        />
      ) : null}
      {core.authority === "RANKED" ? (
        <div role="group" aria-label={t("configure.ranking")} className="ac-ranking">
          <span>{t("configure.ranking")}</span>
          <ol>
            {ranked.map((node, index) => (
              <li key={node.id}>
                <span>{nodeTitle(node)}</span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={readOnly || index === 0}
                  aria-label={t("configure.moveUp", { name: nodeTitle(node) })}
                  onClick={() => swap(index, -1)}
                >
                  <IconArrowUp size={15} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={readOnly || index === ranked.length - 1}
                  aria-label={t("configure.moveDown", { name: nodeTitle(node) })}
                  onClick={() => swap(index, 1)}
                >
                  <IconArrowDown size={15} />
                </ActionIcon>
              </li>
            ))}
          </ol>
        </div>
      ) : null}
      <Switch
        label={t("configure.rejectEmpty")}
        description={t("configure.rejectEmptyHint")}
        checked={core.rejectEmptyValues}
        disabled={readOnly}
        onChange={(event) => onChange({ ...configuration, rejectEmptyValues: event.currentTarget.checked })}
      />
      <DuplicateOptions {...props} />
      <FieldPipelineList entityId={entityId} fromNode={props.node.id} />
      <div className="ac-configure__links">
        <Link to="/data-studio/entity/$entityId" params={{ entityId }}>
          {t("configure.openRecords")}
        </Link>
      </div>
    </>
  );
}
