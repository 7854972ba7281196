/** What the ways out of a node are called. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { EDGE_TYPE_DEFAULT } from "@accord/contracts/sync/graph";
import {
  FALSE_PORT,
  functionName,
  isLoopEnd,
  isLoopStart,
  isPredicate,
  OTHERWISE_PORT,
  TRUE_PORT,
} from "@accord/sync-engine/graph";
import { useCallback } from "react";
import { useWords } from "../../../../app/words.ts";

/** Empty where there is one way alone that needs no name. */
export function usePortNames(): (node: GraphNode, port: string) => string {
  const { t } = useWords("sync");
  return useCallback(
    (node, port) => {
      if (isPredicate(node)) return port === TRUE_PORT ? t("port.true") : port === FALSE_PORT ? t("port.false") : port;
      if (functionName(node) === "case")
        return port === OTHERWISE_PORT ? t("port.otherwise") : port === EDGE_TYPE_DEFAULT ? t("port.every") : port;
      if (isLoopStart(node)) return t("port.loopBody");
      if (isLoopEnd(node)) return t("port.loopEnd");
      return port === EDGE_TYPE_DEFAULT ? "" : port;
    },
    [t],
  );
}
