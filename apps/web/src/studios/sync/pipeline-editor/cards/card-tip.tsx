/** What a card says once the pointer has rested on it: made then, because a graph has a thousand cards and one pointer. */
import { Tooltip } from "@mantine/core";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useEditor } from "../editor-context.tsx";

const REST_MS = 1000;

/** The card that the pointer rests on, and what the card has to listen to. */
export function useRestedOn() {
  const [card, setCard] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    restedOn: card,
    listeners: {
      onMouseEnter: ({ currentTarget }: MouseEvent<HTMLElement>) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setCard(currentTarget), REST_MS);
      },
      onMouseLeave: () => {
        clearTimeout(timer.current);
        setCard(null);
      },
    },
  };
}

interface Props {
  nodeId: string;
  card: HTMLElement;
  title: string;
  children: ReactNode;
}

export function CardTip({ nodeId, card, title, children }: Props) {
  // It would cover the input, or where a dragged node may be let go.
  const isHidden = useEditor(
    ({ renaming, isDragging, selected }) => renaming === nodeId || (isDragging && selected.includes(nodeId)),
  );
  const text = (
    <>
      {title}
      <div className="ac-node__tip">{children}</div>
    </>
  );
  return isHidden ? null : <Tooltip opened target={card} label={text} multiline maw={280} />;
}
