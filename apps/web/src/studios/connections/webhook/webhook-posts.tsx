/** The first tab of a webhook's page: its address, and what was posted to it, with the opened post beside. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import { getRouteApi } from "@tanstack/react-router";
import { AddressCard } from "./address-card.tsx";
import { PostLog } from "./post-log.tsx";
import { PostPanel } from "./post-panel.tsx";
import "./webhook.css";

const route = getRouteApi("/signed-in/synapses/connections/$connectorId");

export function WebhookPosts({ connector }: { connector: ConnectorDetail }) {
  const { post } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (key: string | undefined) => void navigate({ search: (old) => ({ ...old, post: key }), replace: true });
  const [, kind, number] = /^(post|refusal)-(\d{1,15})$/.exec(post ?? "") ?? [];
  return (
    <div className="ac-webhook__split">
      <div className="ac-webhook">
        <AddressCard connector={connector} />
        <PostLog connector={connector} />
      </div>
      {kind && number ? (
        <PostPanel
          key={post}
          connector={connector}
          kind={kind === "post" ? "post" : "refusal"}
          number={Number(number)}
          onClose={() => open(undefined)}
          onOpen={(other) => open(`post-${other}`)}
        />
      ) : null}
    </div>
  );
}
