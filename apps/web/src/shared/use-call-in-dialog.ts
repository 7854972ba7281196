/** A write that a dialog waits for: the dialog stays until it has ended, and what ends after it has gone is still said. */
import type { AnyEndpoint, ReplyOf } from "@accord/contracts";
import { useEffect, useRef } from "react";
import { explanationOf } from "../app/api-error.ts";
import { useCall } from "../app/queries.ts";
import { toast } from "./toast.tsx";

interface Options<E extends AnyEndpoint> {
  refreshes: readonly AnyEndpoint[];
  onClose: () => void;
  /** Says that it is done. */
  onDone: (reply: ReplyOf<E>) => void;
  /** What follows while the dialog is still there: who has left for another page is not taken from it. */
  onClosed?: (reply: ReplyOf<E>) => void;
  onError?: (error: Error) => void;
  /** What a failure is called once the dialog, which would show it, has gone: the page was left meanwhile. */
  lateTitle: string;
}

/** `close`: for every way out of the dialog; does nothing while the call is on its way. */
export function useCallInDialog<E extends AnyEndpoint>(
  endpoint: E,
  { refreshes, onClose, onDone, onClosed, onError, lateTitle }: Options<E>,
) {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const call = useCall(endpoint, {
    refreshes,
    onSuccess: (reply) => {
      onDone(reply);
      if (!isShown.current) return;
      onClose();
      onClosed?.(reply);
    },
    onError: (error) => {
      if (isShown.current) onError?.(error);
      else toast.error(lateTitle, { description: explanationOf(error) });
    },
  });
  const close = () => {
    if (!call.isPending) onClose();
  };
  return { call, close };
}
