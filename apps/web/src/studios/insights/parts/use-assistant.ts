/** Whether questions can be asked in this instance, and who answers them. */
import { getFeature } from "@accord/contracts/identity/instances";
import { getCardAssistant } from "@accord/contracts/insights/card-assistant";
import type { ReplyOf } from "@accord/contracts";
import { useEndpoint } from "../../../app/queries.ts";
import { useMayMakeCards } from "./may-make-cards.ts";

export type Assistant = ReplyOf<typeof getCardAssistant>;

interface UsedAssistant {
  /** Undefined until it is known. */
  isEnabled: boolean | undefined;
  assistant: Assistant | undefined;
  error: Error | null;
}

export function useAssistant(): UsedAssistant {
  const mayMakeCards = useMayMakeCards();
  const feature = useEndpoint(getFeature, { params: { featureName: "InsightsAI" } }, { enabled: mayMakeCards });
  const isEnabled = feature.data?.enabled;
  const about = useEndpoint(getCardAssistant, {}, { enabled: mayMakeCards && isEnabled === true });
  return { isEnabled, assistant: about.data, error: feature.error ?? about.error };
}
