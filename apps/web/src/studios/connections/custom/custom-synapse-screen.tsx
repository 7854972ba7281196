/** /synapses/custom-synapses/{synapseType}/{synapseId}: the screen of each kind of custom synapse; other kinds: not found. */
import { getRouteApi } from "@tanstack/react-router";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { WebhookScreen } from "../webhook/webhook-screen.tsx";
import { SdkSynapseScreen } from "../sdk/sdk-synapse-screen.tsx";
import { HttpSynapseScreen } from "./http-synapse-screen.tsx";

const route = getRouteApi("/signed-in/synapses/custom-synapses/$synapseType/$synapseId");

export function CustomSynapseScreen() {
  const { synapseType } = route.useParams();
  if (synapseType === "webhook") return <WebhookScreen />;
  if (synapseType === "http") return <HttpSynapseScreen />;
  if (synapseType === "sdk") return <SdkSynapseScreen />;
  return <NotFoundScreen />;
}
