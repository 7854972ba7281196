/** A failure in place: the server's words, what to do, and the request id to quote. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyableId } from "../copyable-id/copyable-id.tsx";
import { useUiWords } from "../ui-words.ts";
import "./error-box.css";

export interface ErrorBoxProps {
  title?: string;
  message: ReactNode;
  requestId?: string | undefined;
  requestLabel?: string;
  onRetry?: () => void;
  tone?: "error" | "warn" | "info" | "ok";
  actions?: ReactNode;
}

const ICON = { error: IconAlertTriangle, warn: IconAlertTriangle, info: IconInfoCircle, ok: IconCircleCheck };

/** Announced at once when it appears. */
export function ErrorBox({ title, message, requestId, requestLabel, onRetry, tone = "error", actions }: ErrorBoxProps) {
  const words = useUiWords();
  const Icon = ICON[tone];
  return (
    <div className="ac-error-box" data-tone={tone} role={tone === "error" ? "alert" : "status"}>
      <Icon size={16} aria-hidden />
      <div className="ac-error-box__words">
        {title ? <strong>{title}</strong> : null}
        <div>{message}</div>
        {requestId ? <CopyableId id={requestId} {...(requestLabel ? { label: requestLabel } : {})} /> : null}
      </div>
      {actions}
      {onRetry ? (
        <Button variant="default" size="xs" onClick={onRetry}>
          {words.retry}
        </Button>
      ) : null}
    </div>
  );
}
