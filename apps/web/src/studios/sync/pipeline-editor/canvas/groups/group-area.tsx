/** The area behind grouped nodes; collapsed, it stands for them: its name, how many they are, and how they are. */
import { InlineEdit } from "@accord/ui";
import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { changeGroup, uniqueName } from "@accord/sync-engine/graph";
import type { GraphGroup } from "@accord/contracts/sync/graph";
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useWords } from "../../../../../app/words.ts";
import { HealthOf } from "../../cards/node-health.tsx";
import { useEditor } from "../../editor-context.tsx";
import type { GroupData } from "../containers/area-parts.ts";
import { dropOn } from "./group-drop.ts";
import "./group-area.css";

export const GroupArea = memo(function GroupArea({ data }: NodeProps<Node<GroupData, "area">>) {
  const { t } = useWords("sync");
  const edit = useEditor((state) => state.edit);
  const ask = useEditor((state) => state.ask);
  const { group, memberIds, errors, readOnly } = data;
  const drop = useEditor((state) => (state.groupDrop ? dropOn(state.groupDrop, group.id, state.graph) : null));
  const toggle = () => edit((graph) => changeGroup(graph, group.id, { collapsed: !group.collapsed }));
  const Chevron = group.collapsed ? IconChevronRight : IconChevronDown;
  return (
    <div
      className="ac-group"
      title={group.collapsed ? group.childNodeSummary : undefined}
      data-collapsed={group.collapsed || undefined}
      data-drop={drop === "join" || drop === "leave" ? drop : drop ? "refused" : undefined}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div className="ac-group__head">
        <ActionIcon
          className="ac-group__toggle nodrag"
          variant="subtle"
          size={24}
          disabled={readOnly}
          onClick={toggle}
          aria-label={t(group.collapsed ? "group.expand" : "group.collapse")}
        >
          <Chevron size={14} />
        </ActionIcon>
        <span className="ac-group__words">
          <GroupName group={group} readOnly={readOnly} />
          <span className="ac-group__facts">
            {t("group.members", { count: memberIds.length })}
            {group.collapsed ? <HealthOf nodeIds={memberIds} /> : null}
          </span>
        </span>
        {readOnly || group.collapsed ? null : (
          <button
            type="button"
            className="ac-group__ungroup nodrag"
            onClick={() => ask({ kind: "ungroup", groupId: group.id })}
          >
            {t("group.ungroup")}
          </button>
        )}
      </div>
      {drop ? <DropWords drop={drop} /> : null}
      {group.collapsed && errors > 0 ? (
        <span className="ac-node__badge" role="img" aria-label={t("node.problems", { count: errors })}>
          {errors}
        </span>
      ) : null}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

function GroupName({ group, readOnly }: { group: GraphGroup; readOnly: boolean }) {
  const { t } = useWords("sync");
  const edit = useEditor((state) => state.edit);
  return (
    <span className="ac-group__name nodrag">
      <InlineEdit
        value={group.name}
        label={t("group.name")}
        disabled={readOnly}
        onSave={(name) =>
          edit((graph) => {
            const taken = graph.groups.filter((other) => other.id !== group.id).map((other) => other.name);
            const free = uniqueName(name, taken);
            return changeGroup(graph, group.id, { name: free, label: free });
          })
        }
      />
    </span>
  );
}

/** What letting go here would do, or why it does nothing. */
function DropWords({ drop }: { drop: NonNullable<ReturnType<typeof dropOn>> }) {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  return (
    <span className="ac-group__drop" role="status">
      {drop === "join" || drop === "leave" ? t(`group.${drop}`) : rule(drop)}
    </span>
  );
}
