/** A panel docked beside its screen, so that what it configures stays in view. Esc or the cross closes it. */
import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useUiWords } from "../ui-words.ts";
import { useSteadyFocus } from "./use-steady-focus.ts";
import "./side-panel.css";

export interface SidePanelProps {
  title: ReactNode;
  /** Name for screen readers when the title is not plain text. */
  label?: string;
  subtitle?: ReactNode;
  icon?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** Buttons kept in view at the lower edge. */
  footer?: ReactNode;
  /** Tabs or other controls between head and body. */
  bar?: ReactNode;
  /** Moves focus in when opened by a press; off when selecting alone opens it. */
  takeFocus?: boolean;
  width?: number;
  /** Buttons beside the cross. */
  actions?: ReactNode;
}

export function SidePanel({
  title,
  label,
  subtitle,
  icon,
  onClose,
  children,
  footer,
  bar,
  takeFocus = false,
  width = 380,
  actions,
}: SidePanelProps) {
  const words = useUiWords();
  const panel = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useSteadyFocus(body, content);
  useEffect(() => {
    if (takeFocus) (panel.current?.querySelector<HTMLElement>("[data-autofocus]") ?? panel.current)?.focus();
  }, [takeFocus]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || closesItsOwnList(event)) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside
      ref={panel}
      className="ac-panel"
      aria-label={label ?? (typeof title === "string" ? title : undefined)}
      tabIndex={-1}
      style={{ width }}
      onKeyDown={onKeyDown}
    >
      <header className="ac-panel__head">
        {icon}
        <div className="ac-panel__words">
          <h2>{title}</h2>
          {subtitle ? <p>{subtitle}</p> : null}
        </div>
        {actions}
        <ActionIcon aria-label={words.close} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </header>
      {bar ? <div className="ac-panel__bar">{bar}</div> : null}
      <div ref={body} className="ac-panel__body">
        <div ref={content}>{children}</div>
      </div>
      {footer ? <footer className="ac-panel__foot">{footer}</footer> : null}
    </aside>
  );
}

/** Esc in an open list or menu closes that alone, not the panel with all that was typed in it. */
function closesItsOwnList({ target, currentTarget }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  // A list in a layer of its own reports here too, though it lies elsewhere in the page.
  if (!currentTarget.contains(target)) return true;
  return target.hasAttribute("aria-haspopup") && target.getAttribute("aria-expanded") === "true";
}
