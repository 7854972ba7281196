/** Which way a tried record left a node by: its true or false branch, a case, the loop. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { useWords } from "../../../../app/words.ts";
import { usePortNames } from "../canvas/port-names.ts";
import type { NodePass } from "./try.model.ts";

/** Nothing of a node that failed, or that has one way out alone. */
export function PassRoute({ node, pass: { route, message } }: { node: GraphNode; pass: NodePass }) {
  const { t } = useWords("sync");
  const nameOf = usePortNames();
  if (route === undefined || message !== null) return null;
  if (route === null) return <span>{t("try.ends")}</span>;
  const name = nameOf(node, route);
  return name === "" ? null : (
    <span>
      {t("try.takes")} <strong>{name}</strong>
    </span>
  );
}
