/** The area behind grouped nodes; collapsed, it stands for them. */
import { InlineEdit } from "@accord/ui";
import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { changeGroup, ungroup, uniqueName } from "@accord/sync-engine/graph";
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useWords } from "../../../../app/words.ts";
import type { GroupData } from "./canvas.model.ts";
import { useEditor } from "../editor-context.tsx";

export const GroupArea = memo(function GroupArea({ data }: NodeProps<Node<GroupData, "area">>) {
  const { t } = useWords("sync");
  const edit = useEditor((state) => state.edit);
  const { group, members, errors, readOnly } = data;
  const toggle = () => edit((graph) => changeGroup(graph, group.id, { collapsed: !group.collapsed }));
  const Chevron = group.collapsed ? IconChevronRight : IconChevronDown;
  return (
    <div className="ac-group" data-collapsed={group.collapsed || undefined}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div className="ac-group__head nodrag">
        <ActionIcon
          className="ac-group__toggle"
          variant="subtle"
          size={24}
          disabled={readOnly}
          onClick={toggle}
          aria-label={t(group.collapsed ? "group.expand" : "group.collapse")}
        >
          <Chevron size={14} />
        </ActionIcon>
        <span className="ac-group__name">
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
        <span className="ac-group__count">{t("group.members", { count: members })}</span>
        {readOnly || group.collapsed ? null : (
          <button type="button" className="ac-group__ungroup" onClick={() => edit((graph) => ungroup(graph, group.id))}>
            {t("group.ungroup")}
          </button>
        )}
      </div>
      {group.collapsed && errors > 0 ? (
        <span className="ac-node__badge" role="img" aria-label={t("node.problems", { count: errors })}>
          {errors}
        </span>
      ) : null}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});
