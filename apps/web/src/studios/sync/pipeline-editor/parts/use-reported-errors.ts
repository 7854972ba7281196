/** Tells the docked panel how many inputs of a node's form can't be saved as they are; none once the form is gone. */
import { useEffect } from "react";

export function useReportedErrors(count: number, onErrors: (count: number) => void): void {
  useEffect(() => {
    onErrors(count);
    return () => onErrors(0);
  }, [count, onErrors]);
}
