/** A state in one word, with a colour and a mark; the word alone is enough. */
import type { ReactNode } from "react";
import "./status-tag.css";

export type Tone = "ok" | "warn" | "error" | "info" | "idle" | "ember" | "brand";

export interface StatusTagProps {
  tone: Tone;
  children: ReactNode;
  /** Breathes: work is going on. */
  busy?: boolean;
  /** Just the mark and the word, without the ground. */
  plain?: boolean;
  title?: string;
}

export function StatusTag({ tone, children, busy = false, plain = false, title }: StatusTagProps) {
  return (
    <span
      className="ac-tag"
      data-tone={tone}
      data-busy={busy || undefined}
      data-plain={plain || undefined}
      title={title}
    >
      <span className="ac-tag__mark" aria-hidden />
      {children}
    </span>
  );
}

/** A small number beside a name: errors, results, unread. */
export function CountBadge({ count, tone = "idle", label }: { count: number; tone?: Tone; label?: string }) {
  return (
    <span
      className="ac-count"
      data-tone={tone}
      aria-label={label ? `${count} ${label}` : undefined}
      role={label ? "img" : undefined}
    >
      {count > 999 ? "999+" : count}
    </span>
  );
}
