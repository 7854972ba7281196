/** The assistant of data cards: its endpoints. */
import * as api from "@accord/contracts/insights/card-assistant";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import { type AssistantNeeds, cardAssistantService } from "./card-assistant.service.ts";

export type { AssistantProvider } from "./card-assistant.service.ts";

export function cardAssistantModule(deps: Deps, needs: AssistantNeeds): Module {
  const service = cardAssistantService(deps, needs);
  return {
    name: "insights/card-assistant",
    routes: [
      route(api.getCardAssistant, (ctx) => service.about(ctx)),
      route(api.proposeCard, (ctx, { body }) => service.propose(ctx, body)),
    ],
  };
}
