/** Short messages at the lower edge, for background work and done deeds. Failures in view belong in place instead. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { addNotice } from "../app/notices.ts";
import { explain } from "../app/api-error.ts";
import { words } from "../app/words.ts";
import "./toast.css";

type Variant = "success" | "info" | "warning" | "error";

const LOOK: Record<Variant, { color: string; icon: ReactNode }> = {
  success: { color: "ok", icon: <IconCheck size={16} /> },
  info: { color: "info", icon: <IconInfoCircle size={16} /> },
  warning: { color: "warn", icon: <IconAlertTriangle size={16} /> },
  error: { color: "error", icon: <IconX size={16} /> },
};

export interface ToastOptions {
  description?: string;
  /** Also kept under the bell, for what may end after one has left the screen. */
  keep?: boolean;
  /** Where the result can be seen. */
  to?: string;
  /** Milliseconds that it is shown; as long as its kind when absent. */
  closesAfterMs?: number;
}

/** Ids of toasts by what they say: one that is shown again takes the place of the one before. */
const shownIds = new Map<string, string>();

/** The id of a new toast, once the same one is gone from the screen. */
function idInsteadOf(key: string): string {
  const id = crypto.randomUUID();
  const before = shownIds.get(key);
  if (before !== undefined) notifications.hide(before);
  shownIds.set(key, id);
  return id;
}

function show(variant: Variant, message: string, options: ToastOptions = {}): void {
  const key = JSON.stringify([variant, message, options.description]);
  const id = idInsteadOf(key);
  notifications.show({
    id,
    onClose: () => {
      if (shownIds.get(key) === id) shownIds.delete(key);
    },
    title: options.description ? message : undefined,
    message: options.description ?? message,
    color: LOOK[variant].color,
    icon: LOOK[variant].icon,
    autoClose: options.closesAfterMs ?? (variant === "error" ? 10_000 : 5_000),
    closeButtonProps: { "aria-label": words.t("shell:action.close") },
  });
  if (options.keep) addNotice({ variant, message, description: options.description, to: options.to });
}

const UNDO_MS = 6_000;

export const toast = {
  success: (message: string, options?: ToastOptions) => show("success", message, options),
  info: (message: string, options?: ToastOptions) => show("info", message, options),
  warning: (message: string, options?: ToastOptions) => show("warning", message, options),
  error: (message: string, options?: ToastOptions) => show("error", message, options),
  /** For `onError` of background work: the server's words, with what explains them. */
  failed: (error: unknown, options?: ToastOptions) => {
    const { title, reasons } = explain(error);
    show("error", title, { ...(reasons.length > 0 ? { description: reasons.join(" ") } : {}), ...options });
  },

  /** Copies a text and says `done`, or that it could not be copied: then the clipboard still holds what it held. */
  copy: (text: string, done: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => show("success", done),
      () => show("error", words.t("shell:error.notCopied")),
    ),

  /** A soft deed that has been done: 6 s to take it back. `onExpire` runs when nobody did. */
  undo(message: string, onUndo: () => void, onExpire?: () => void): void {
    const id = crypto.randomUUID();
    let taken = false;
    notifications.show({
      id,
      color: "idle",
      autoClose: UNDO_MS,
      onClose: () => {
        if (!taken) onExpire?.();
      },
      closeButtonProps: { "aria-label": words.t("shell:action.close") },
      message: (
        <span className="ac-undo">
          {message}
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              taken = true;
              notifications.hide(id);
              onUndo();
            }}
          >
            {words.t("shell:action.undo")}
          </Button>
        </span>
      ),
    });
  },
};
