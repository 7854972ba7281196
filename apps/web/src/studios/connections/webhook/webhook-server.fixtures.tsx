/** A webhook's screens with a server that answers for it, as each test sets it. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Notifications, notifications } from "@mantine/notifications";
import { afterEach, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import { ConnectionScreen } from "../connection-screen.tsx";
import { CustomSynapseScreen } from "../custom/custom-synapse-screen.tsx";
import { ADDRESS, HOOK, hook, post, WEBHOOK_TYPE } from "./webhook.fixtures.ts";

const network = globalThis.fetch;
export const refused = (path: string, message: string): Response =>
  Response.json(
    { code: "validation_failed", message: "See the fields.", errors: [{ path, message }] },
    { status: 400 },
  );

export let answers: Record<string, (query: URLSearchParams) => Response>;
export let sent: { call: string; body: unknown }[];

export const logOf = (entries: object[], more: object = {}) =>
  Response.json({ entries, page: { nextCursor: null, previousCursor: null }, cut: 0, ...more });
export const DRAFT = {
  ...{ name: "Renamed", authType: "apiSecretKey", savedAt: "2026-11-01T10:00:00.000Z" },
  config: { recordSelector: "items", signature: "standard" },
};
export const TRIED = {
  ...{ count: 1, records: [{ id: "7", values: { webhookRecordId: "7", id: "7" } }], bad: [], recordSelectors: [] },
  ...{ inferred: [], answer: { status: 202, body: '{"received": 1}' } },
};

export function serveWebhook(): void {
  beforeEach(() => {
    queryClient.clear();
    sent = [];
    answers = {
      "GET /connector-types": () =>
        Response.json({ types: [WEBHOOK_TYPE], oauthRedirectUrl: "https://accord.example.com/api/v1/oauth/callback" }),
      [`GET /connectors/${HOOK}`]: () => Response.json(hook()),
      [`GET /connectors/${HOOK}/webhook-address`]: () => Response.json({ url: ADDRESS }),
      [`GET /connectors/${HOOK}/webhook-draft`]: () => Response.json({ draft: null }),
      [`PUT /connectors/${HOOK}/webhook-draft`]: () => Response.json({ draft: DRAFT }),
      [`POST /connectors/${HOOK}/webhook-draft/publish`]: () => Response.json({}),
      [`GET /connectors/${HOOK}/webhook-log`]: () => logOf([]),
      [`GET /connectors/${HOOK}/webhook-log/post/3`]: () => Response.json(post()),
      "POST /connectors/try-webhook-payload": () => Response.json(TRIED),
    };
    signIn(["READ_CONNECTOR", "WRITE_CONNECTOR", "TEST_CONNECTION"]);
    globalThis.fetch = async (path, init) => {
      const address = String(path instanceof Request ? path.url : path);
      const start = address.indexOf("/api/v1/");
      if (start < 0) return network(path, init);
      const { pathname, searchParams } = new URL(address.slice(start + "/api/v1".length), location.href);
      const call = `${init?.method ?? "GET"} ${pathname}`;
      if (init?.body) sent.push({ call, body: JSON.parse(String(init.body)) });
      return (
        answers[call]?.(searchParams) ??
        Response.json({ code: "not_found", message: `Not found: ${call}` }, { status: 404 })
      );
    };
  });
  afterEach(async () => {
    globalThis.fetch = network;
    notifications.clean();
    await page.viewport(414, 896);
  });
}

export const signIn = (permissions: readonly string[]): void =>
  void queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });

export async function openPage(search = ""): Promise<void> {
  await page.viewport(1280, 800);
  showScreens({ "/synapses/connections/$connectorId": ConnectionScreen }, `/synapses/connections/${HOOK}${search}`);
}
export async function openSteps(id: string, search = "", type = "webhook"): Promise<void> {
  await page.viewport(1280, 900);
  showScreens(
    {
      "/synapses/custom-synapses/$synapseType/$synapseId": CustomSynapseScreen,
      "/synapses/connections/$connectorId": () => (
        <>
          <Notifications />
          <p>The page of the synapse</p>
        </>
      ),
    },
    `/synapses/custom-synapses/${type}/${id}${search}`,
  );
}
export const input = (name: string) => page.getByRole("textbox", { name });
export const button = (name: string | RegExp) => page.getByRole("button", { name });
