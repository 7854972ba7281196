/** What stands behind the path in addresses of the pipeline editor. */
import { id } from "@accord/contracts";
import { z } from "zod";

/** `nodeIds` is a comma-separated list, as links to the editor spell it. */
export const editorSearch = z.object({
  nodeIds: z.string().optional().catch(undefined),
  focusNodeId: z.string().optional().catch(undefined),
  view: z.enum(["graph", "list"]).optional().catch(undefined),
  /** What stands open beside the graph. */
  beside: z.enum(["versions", "tests", "try"]).optional().catch(undefined),
  /** Opens the dialog that publishes the draft, and leaves the address then. */
  dialog: z.literal("publish").optional().catch(undefined),
  /** Id of the source or destination whose mapping is shown at full size, or `first`. */
  mapper: z.string().optional().catch(undefined),
  /** Id of an older version, as former addresses name it. */
  version: id("pipelineVersion").optional().catch(undefined),
  /** Node of the entity pipeline that led to a field pipeline: the way back leads there. */
  fromNode: z.string().optional().catch(undefined),
  /** Id of the version to compare with what is shown, or `draft`. */
  compareWith: z
    .union([z.literal("draft"), id("pipelineVersion")])
    .optional()
    .catch(undefined),
});

export type EditorSearch = z.output<typeof editorSearch>;
