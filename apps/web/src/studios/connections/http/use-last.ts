/** What was typed into a part of a form before it was switched off, or to another kind: it is there again when it is back. */
import { useState } from "react";

/** The last value that there was. */
export function useLast<T extends object>(value: T | null | undefined): T | undefined {
  const [last, setLast] = useState<T | undefined>(value ?? undefined);
  if (value && value !== last) setLast(value);
  return value ?? last;
}

/** The last value of each kind. */
export function useLastOfKinds<T extends { kind: string }>(value: T | null | undefined): Readonly<Record<string, T>> {
  const [last, setLast] = useState<Readonly<Record<string, T>>>({});
  if (!value || last[value.kind] === value) return last;
  const next = { ...last, [value.kind]: value };
  setLast(next);
  return next;
}
