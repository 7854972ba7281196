/** Moving and removing one row of a list, by mouse and by keyboard. */
import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { useWords } from "../../app/words.ts";
import { useFocusOnceShown } from "../focus-once-shown.ts";

interface RowsOf {
  /** Holds the rows. */
  list: RefObject<HTMLElement | null>;
  count: number;
  isFixed: boolean;
  onMove: (from: number, to: number) => void;
}

const CONTROLS = "input, textarea, button:not([disabled]), [tabindex='0']";
const controlsOf = (row: Element | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? []),
];

const rowsOf = (list: Element | null): Element[] => [...(list?.querySelectorAll(":scope > [data-row]") ?? [])];

/** Alt with an arrow moves the row that has the focus, which goes with it. */
export function useRowOrder({ list, count, isFixed, onMove }: RowsOf) {
  const focusOnceShown = useFocusOnceShown();
  /** The control in the row's new place that has its focus; null where the row stays. */
  const moved = (from: number, to: number): (() => HTMLElement | undefined) | null => {
    if (isFixed || to < 0 || to >= count) return null;
    const rows = rowsOf(list.current);
    const at = controlsOf(rows[from]).findIndex((control) => control === document.activeElement);
    onMove(from, to);
    return () => controlsOf(rows[to])[at];
  };
  const move = (from: number, to: number) => {
    const control = moved(from, to);
    // Menus give the focus back to their button first.
    if (control) setTimeout(() => control()?.focus());
  };
  /** The first control of a row, once the row is there. */
  const focusRow = (index: number) => focusOnceShown(() => controlsOf(rowsOf(list.current)[index])[0]);
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || step === 0 || event.defaultPrevented || isFixed) return;
    event.preventDefault();
    event.stopPropagation();
    const control = moved(index, index + step);
    if (control) focusOnceShown(control);
  };
  return { move, focusRow, onKeyDown };
}

interface RowActionsProps {
  index: number;
  count: number;
  /** What the row is called. */
  name: string;
  removeLabel: string;
  /** Nothing is there to be removed. */
  isBlank?: boolean;
  move: (from: number, to: number) => void;
  onRemove: () => void;
}

export function RowActions({
  index,
  count,
  name,
  removeLabel,
  isBlank = false,
  move,
  onRemove,
}: RowActionsProps): ReactNode {
  const { t } = useWords("builder");
  return (
    <>
      {count < 2 ? null : (
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <ActionIcon aria-label={t("form.moveRow", { name })}>
              <IconGripVertical size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconArrowUp size={14} />}
              rightSection={<kbd>Alt ↑</kbd>}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              {t("form.moveUp")}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={14} />}
              rightSection={<kbd>Alt ↓</kbd>}
              disabled={index === count - 1}
              onClick={() => move(index, index + 1)}
            >
              {t("form.moveDown")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionIcon aria-label={removeLabel} disabled={isBlank} onClick={onRemove}>
        <IconTrash size={15} />
      </ActionIcon>
    </>
  );
}
