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
}

export function EmptyState({ icon, title, body, action, compact = false }: EmptyStateProps) {
  return (
    <div className="ac-empty" data-compact={compact || undefined}>
      {icon ? (
        <div className="ac-empty__icon" aria-hidden>
          {icon}
        </div>
      ) : null}
      <p className="ac-empty__title">{title}</p>
      {body ? <p className="ac-empty__body">{body}</p> : null}
      {action ? <div className="ac-empty__action">{action}</div> : null}
    </div>
  );
}
