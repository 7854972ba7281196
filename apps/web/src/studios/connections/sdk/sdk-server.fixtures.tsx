/** The screens of custom synapses with a server that answers for them, as each test sets it. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Notifications, notifications } from "@mantine/notifications";
import { afterEach, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import { CustomSynapseScreen } from "../custom/custom-synapse-screen.tsx";
import { CustomSynapsesScreen } from "../custom/custom-synapses-screen.tsx";
import { packageIndex, SDK, sdkFiles, sdkSynapse, sdkVersion } from "./sdk.fixtures.ts";

const network = globalThis.fetch;
export const refuse = (status: number, code: string, message: string, more: object = {}): Response =>
  Response.json({ code, message, ...more }, { status });

export let answers: Record<string, () => Response>;
/** Each write, with the body as it was sent. */
export let sent: { call: string; body: unknown }[];

export const AT = `/custom-synapses/sdk/${SDK}`;
export const read = (path: string, reply: object): void => {
  answers[`GET ${path}`] = () => Response.json(reply);
};
export const synapseIs = (synapse: object, draft: object | null = sdkVersion(), more: object = {}): void => {
  read(AT, synapse);
  read(`${AT}/draft`, { draft, files: draft ? sdkFiles : [], isAuthor: true, ...more });
};
export const shareIs = (more: object): void =>
  read(`${AT}/share`, { scope: "PRIVATE", isGlobal: false, instanceIds: [], version: 1, ...more });
/** As the server refuses by state: the reason stands in the description. */
export const refuseByState = (reason: string): Response =>
  refuse(409, "invalid_state", "This can't be done now.", { description: reason });
export const onPost = (step: string, reply: () => Response): void => {
  answers[`POST ${AT}/${step}`] = reply;
};

export function serveSdk(): void {
  beforeEach(() => {
    queryClient.clear();
    sent = [];
    answers = {};
    read("/custom-synapses/sdk/package-index", packageIndex());
    read("/connector-types", { types: [], oauthRedirectUrl: "" });
    read("/custom-synapses", { synapses: [] });
    read("/connectors", { connectors: [] });
    read("/custom-synapses/sdk", { synapses: [] });
    read("/custom-synapses/share-scope", {
      scopes: [],
      instances: [{ id: "e".repeat(24), displayName: "Test instance" }],
    });
    shareIs({});
    synapseIs(sdkSynapse());
    signIn(["READ_CONNECTOR", "WRITE_CONNECTOR", "TEST_CONNECTION"]);
    globalThis.fetch = async (path, init) => {
      const address = String(path instanceof Request ? path.url : path);
      const start = address.indexOf("/api/v1/");
      if (start < 0) return network(path, init);
      const { pathname } = new URL(address.slice(start + "/api/v1".length), location.href);
      const call = `${init?.method ?? "GET"} ${pathname}`;
      if (init?.method && init.method !== "GET")
        sent.push({ call, body: init.body instanceof FormData ? init.body : JSON.parse(String(init.body ?? "{}")) });
      return answers[call]?.() ?? refuse(404, "not_found", `Not found: ${call}`);
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

export async function openAt(path: string): Promise<void> {
  await page.viewport(1280, 900);
  showScreens(
    {
      "/synapses/custom-synapses/$synapseType/$synapseId": () => (
        <>
          <Notifications />
          <CustomSynapseScreen />
        </>
      ),
      "/synapses/custom-synapses": () => (
        <>
          <Notifications />
          <CustomSynapsesScreen />
        </>
      ),
      "/synapses/connections/new": () => <p>A new connection</p>,
    },
    path,
  );
}
export const openSdk = (search = "", id = SDK): Promise<void> => openAt(`/synapses/custom-synapses/sdk/${id}${search}`);
export const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
