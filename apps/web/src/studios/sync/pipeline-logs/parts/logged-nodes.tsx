/** Which nodes the log counts records of, cycle by cycle: a switch for each, stored with the pipeline's settings. */
import type { Id } from "@accord/contracts";
import { listPipelineLogs } from "@accord/contracts/sync/monitoring/pipeline-logs";
import { Button, Popover, Stack, Switch, Text } from "@mantine/core";
import { IconAdjustments } from "@tabler/icons-react";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { useStoredSettings } from "../../pipeline-settings/use-stored-settings.ts";
import { useNodes } from "../use-nodes.ts";

export function LoggedNodes({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const { all } = useNodes(entityId);
  const { settings, isBusy, store } = useStoredSettings(entityId, [listPipelineLogs]);
  const { loggedNodes: logged } = settings;
  // Those that have left the graph are dropped with the next change.
  const shown = logged.filter((nodeId) => all.some(({ id }) => id === nodeId));
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustments size={15} />}>
          {shown.length > 0 ? t("logs.nodesOn", { count: shown.length }) : t("logs.nodes")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={10} className="ac-log__nodes" role="group" aria-label={t("logs.nodes")}>
          <Text size="sm" c="dimmed">
            {t("logs.nodesHint")} {mayWrite ? "" : t("logs.noPermission")}
          </Text>
          {all.length === 0 ? <Text size="sm">{t("logs.nodesNone")}</Text> : null}
          {all.map(({ id, title }) => (
            <Switch
              key={id}
              label={title}
              checked={logged.includes(id)}
              disabled={!mayWrite || isBusy}
              onChange={({ currentTarget: { checked } }) =>
                store({ loggedNodes: checked ? [...shown, id] : shown.filter((nodeId) => nodeId !== id) })
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
