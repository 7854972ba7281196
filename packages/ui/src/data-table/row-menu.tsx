/** The actions of a table's row behind three dots. */
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { useUiWords } from "../ui-words.ts";

export interface RowAction {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Painted as dangerous and set apart at the end. */
  danger?: boolean;
  /** Why it can't be done now; the action shows disabled with this reason. */
  disabledReason?: string | undefined;
}

/** The three dots of a row. Dangerous actions stand apart; disabled ones say why. */
export function RowMenu({ actions, name }: { actions: readonly (RowAction | undefined | false)[]; name: string }) {
  const words = useUiWords();
  const present = actions.filter((action) => action !== undefined && action !== false);
  if (present.length === 0) return null;
  const sorted = [...present.filter((action) => !action.danger), ...present.filter((action) => action.danger)];
  const firstDanger = sorted.findIndex((action) => action.danger);
  return (
    <Menu withinPortal>
      <Menu.Target>
        <ActionIcon size={26} aria-label={`${words.more}: ${name}`} tabIndex={-1} className="ac-table__dots">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sorted.map((action, index) => (
          <Fragment key={action.label}>
            {index === firstDanger && index > 0 ? <Menu.Divider /> : null}
            <Menu.Item
              leftSection={action.icon}
              color={action.danger ? "error" : undefined}
              disabled={action.disabledReason !== undefined}
              title={action.disabledReason}
              onClick={action.onSelect}
            >
              {action.label}
              {action.disabledReason ? <span className="ac-table__reason">{action.disabledReason}</span> : null}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
