/** Head of a screen: its name, one line about it, tags, and its actions on the right. */
import type { ReactNode } from "react";
import "./page-header.css";

export interface PageHeaderProps {
  title: ReactNode;
  /** One line under the title: a count, who published and when. */
  subtitle?: ReactNode;
  /** Status tags beside the title. */
  tags?: ReactNode;
  /** Buttons; the primary one last. */
  actions?: ReactNode;
  icon?: ReactNode;
}

export function PageHeader({ title, subtitle, tags, actions, icon }: PageHeaderProps) {
  return (
    <header className="ac-page-header">
      {icon ? <div className="ac-page-header__icon">{icon}</div> : null}
      <div className="ac-page-header__words">
        <div className="ac-page-header__line">
          <h1>{title}</h1>
          {tags}
        </div>
        {subtitle ? <p>{subtitle}</p> : null}
      </div>
      {actions ? <div className="ac-page-header__actions">{actions}</div> : null}
    </header>
  );
}

/** Everything inside the frame of one screen: even margins; `fill` for screens that scroll inside themselves. */
export function PageBody({
  children,
  fill = false,
  narrow = false,
}: {
  children: ReactNode;
  fill?: boolean;
  narrow?: boolean;
}) {
  return (
    <div className="ac-page" data-fill={fill || undefined} data-narrow={narrow || undefined}>
      {children}
    </div>
  );
}

/** Row of controls above a table or board: search and filters left, view controls right. */
export function Toolbar({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div className="ac-toolbar">
      <div className="ac-toolbar__start">{children}</div>
      {end ? <div className="ac-toolbar__end">{end}</div> : null}
    </div>
  );
}

/** A surface with a hairline. */
export function Card({
  children,
  title,
  actions,
  flush = false,
  className = "",
}: {
  children: ReactNode;
  title?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  className?: string;
}) {
  return (
    <section className={`ac-card ${className}`} data-flush={flush || undefined}>
      {title || actions ? (
        <div className="ac-card__head">
          <h2>{title}</h2>
          {actions ? <div className="ac-card__actions">{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
