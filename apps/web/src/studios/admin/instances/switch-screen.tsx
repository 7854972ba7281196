/** Switches to the instance in the address, then reloads the app at root; says so when it can't. */
import { switchInstance } from "@accord/contracts/identity/instances";
import type { Id } from "@accord/contracts";
import { ErrorScreen, PageSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../../../app/api.ts";
import { messageOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";

const route = getRouteApi("/signed-in/switch-instance/$instanceId");

export function SwitchScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("instances.switch") });
  const { instanceId } = route.useParams();
  const change = useQuery({
    queryKey: ["switch", instanceId],
    queryFn: async () => {
      const reply = await call(switchInstance, { params: { instanceId: instanceId as Id<"instance"> } });
      location.assign("/");
      return reply;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!change.isError) return <PageSkeleton />;
  return (
    <ErrorScreen
      title={t("shell:error.resourceNotFound")}
      body={messageOf(change.error, t("instances.fallbackSwitch"))}
      actions={
        <Button component="a" href="/">
          {t("shell:error.home")}
        </Button>
      }
    />
  );
}
