/** Takes the body of a post that was received, as an example or as a test payload. */
import { getWebhookPost } from "@accord/contracts/connections/webhooks";
import { RelativeTime } from "@accord/ui";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { endpointQuery, queryClient } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import type { ConnectorId } from "../../queries.ts";
import { usePosts } from "../webhook-queries.ts";

const MAX_OFFERED = 8;

export interface ReceivedPostsProps {
  connectorId: ConnectorId;
  onTake: (body: string) => void;
}

/** The body of a post, unless it is not shown or not shown whole: then it is said why. */
export function useTakePost(connectorId: ConnectorId): (number: number) => Promise<string | null> {
  const { t } = useWords("webhooks");
  return async (number) => {
    try {
      const params = { connectorId, kind: "post" as const, number };
      const post = await queryClient.fetchQuery(endpointQuery(getWebhookPost, { params }));
      if (post.isHidden) return (toast.error(t("form.receivedHidden")), null);
      if (post.isCut || post.body === null) return (toast.error(t("form.receivedCut")), null);
      return post.body;
    } catch (error) {
      toast.failed(error);
      return null;
    }
  };
}

export function ReceivedPosts({ connectorId, onTake }: ReceivedPostsProps) {
  const { t } = useWords("webhooks");
  // Refused ones are not asked for: many of them would leave no room for these.
  const asked = [usePosts(connectorId, { outcome: "accepted" }), usePosts(connectorId, { outcome: "noRecords" })];
  const take = useTakePost(connectorId);
  const received = asked
    .flatMap(({ data }) => data?.entries ?? [])
    .toSorted((one, other) => other.number - one.number)
    .slice(0, MAX_OFFERED);
  if (received.length === 0 && asked.some(({ isError }) => isError))
    return (
      <div className="ac-webhook__line" role="alert">
        {t("form.receivedFailed")}
        <Button size="xs" variant="default" onClick={() => asked.forEach(({ refetch }) => void refetch())}>
          {t("form.receivedAgain")}
        </Button>
      </div>
    );
  const isLoading = asked.some(({ isPending }) => isPending);
  const none = isLoading ? "form.receivedLoading" : "form.receivedNone";
  return (
    <div>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            disabled={received.length === 0}
            rightSection={<IconChevronDown size={14} />}
          >
            {t(received.length === 0 ? none : "form.received")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {received.map((post) => (
            <Menu.Item
              key={post.number}
              onClick={() => void take(post.number).then((body) => (body === null ? undefined : onTake(body)))}
            >
              {t("post.title", { number: post.number })} · <RelativeTime at={post.at} /> ·{" "}
              {(post.body ?? "").slice(0, 60)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
