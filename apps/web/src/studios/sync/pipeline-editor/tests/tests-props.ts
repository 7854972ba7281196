/** What both kinds of test runs are started with. */
import type { Id } from "@accord/contracts";

export interface TestsProps {
  entityId: Id<"entity">;
  mayWrite: boolean;
  /** A run tests what is saved. */
  save: () => Promise<boolean>;
  onGoTo: (nodeId: string) => void;
}
