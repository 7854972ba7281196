/** Stands where a chart would be, and says why there is none. */
import type { ReactNode } from "react";

export function CardNote({
  icon,
  title,
  body,
  children,
}: {
  icon: ReactNode;
  title: string;
  body: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="ac-card-note">
      {icon}
      <strong>{title}</strong>
      <span>{body}</span>
      {children}
    </div>
  );
}
