/** From an entity to its pipeline in Sync studio, or to making one. */
import type { Id } from "@accord/contracts";
import { getPipeline } from "@accord/contracts/sync/pipelines";
import { Button } from "@mantine/core";
import { IconSchema } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";

export function PipelineLink({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("schema");
  const mayWrite = useCan("WRITE_STUDIO");
  const status = useEndpoint(getPipeline, { params: { entityId } }).data?.pipelineStatus;
  if (status === undefined || (status === "UNMAPPED" && !mayWrite)) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconSchema size={16} />}
      renderRoot={(props) => <Link to="/sync-studio/entity/$entityId/pipeline" params={{ entityId }} {...props} />}
    >
      {t(status === "UNMAPPED" ? "entity.makePipeline" : "entity.pipeline")}
    </Button>
  );
}
