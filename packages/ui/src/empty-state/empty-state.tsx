/** What belongs here, why it is empty, and the one next action. */
import type { ReactNode } from "react";
import "./empty-state.css";

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  body?: ReactNode;
  /** The one next action: create, clear the filters, ask for access. */
  action?: ReactNode;
  /** Inside a card or panel instead of a page. */
  compact?: boolean;
  /** It is the whole screen: its title becomes the page's heading. */
  isPage?: boolean;
}

export function EmptyState({ icon, title, body, action, compact = false, isPage = false }: EmptyStateProps) {
  return (
    <div className="ac-empty" data-compact={compact || undefined}>
      {icon ? (
        <div className="ac-empty__icon" aria-hidden>
          {icon}
        </div>
      ) : null}
      {isPage ? <h1 className="ac-empty__title">{title}</h1> : <p className="ac-empty__title">{title}</p>}
      {body ? <p className="ac-empty__body">{body}</p> : null}
      {action ? <div className="ac-empty__action">{action}</div> : null}
    </div>
  );
}
