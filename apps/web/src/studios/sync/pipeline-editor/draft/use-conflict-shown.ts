/** A conflict is shown when it appears; decided later, the header leads back to it. */
import { useState } from "react";

export function useConflictShown(conflict: object | null) {
  const [isDeciding, setDeciding] = useState(false);
  const [shown, setShown] = useState(conflict);
  if (shown !== conflict) {
    setShown(conflict);
    setDeciding(conflict !== null);
  }
  return { isDeciding, decide: () => setDeciding(true), later: () => setDeciding(false) };
}
