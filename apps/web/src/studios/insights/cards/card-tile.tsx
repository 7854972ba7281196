/** One card on a dashboard: its title, its menu, its chart. */
import { Menu } from "@mantine/core";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconDots, IconGripVertical, IconInfoCircle } from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { CardFace, type CardFaceProps } from "./card-face.tsx";

export interface CardTileProps extends CardFaceProps {
  name: string;
  description: string;
  /** Entries of the menu; none hides it. */
  menu?: ReactNode;
  /** Makes the tile movable: by dragging its grip, or by keys on it. */
  onKeyMove?: (change: { x: number; y: number; w: number; h: number }) => void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function CardTile({ name, description, menu, onKeyMove, ...face }: CardTileProps) {
  const { t } = useWords("insights");
  const onKeyDown = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (!arrow || !onKeyMove) return;
    event.preventDefault();
    const [across, down] = arrow;
    onKeyMove(event.shiftKey ? { x: 0, y: 0, w: across, h: down } : { x: across, y: down, w: 0, h: 0 });
  };
  return (
    <section className="ac-tile" aria-label={name}>
      <header className="ac-tile__head">
        {onKeyMove ? (
          <button type="button" className="ac-tile__grip" aria-label={t("board.move", { name })} onKeyDown={onKeyDown}>
            <IconGripVertical size={16} />
          </button>
        ) : null}
        <h2 title={name}>{name}</h2>
        {description ? (
          <Tooltip label={description} multiline maw={280}>
            <ActionIcon variant="subtle" color="idle" size={24} aria-label={description}>
              <IconInfoCircle size={15} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {menu ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="idle" size={24} aria-label={t("board.menu", { name })}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>{menu}</Menu.Dropdown>
          </Menu>
        ) : null}
      </header>
      <div className="ac-tile__body">
        <CardFace name={name} {...face} />
      </div>
    </section>
  );
}
