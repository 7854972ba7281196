/** Services outside that an instance may use once somebody configured them: enrichment, language models, chat. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { ActionAuthentication } from "./actions.ts";

/** Each answers a function or carries out an action of the same name. */
export const ENRICHMENT_SERVICES = ["enrichCompany", "enrichPerson", "verifyEmail"] as const;
export const MODEL_SERVICES = ["classify", "extract", "summarise"] as const;
/** The address of an incoming webhook is its secret: whoever has it may write there. A bot has a token. */
export const CHAT_SERVICES = ["slack", "teams"] as const;
/** Answers questions for data cards: by rules that are built in, or by a language model. */
export const CARD_ASSISTANT = "cardAssistant";
export const SERVICES = [...ENRICHMENT_SERVICES, ...MODEL_SERVICES, ...CHAT_SERVICES, CARD_ASSISTANT] as const;
export type ServiceName = (typeof SERVICES)[number];
export type ChatService = (typeof CHAT_SERVICES)[number];

/**
 * How a service is spoken to. `accord`: POST `{ service, input }`, answered by one JSON object or a list of them.
 * `completions`: the chat completions form of language models. `incomingWebhook`: POST `{ text }`, for chat. `slackApi`: Slack's Web API with a bot token. `builtIn`: nobody is called, the product's own rules answer.
 */
export const PROTOCOLS = ["accord", "completions", "incomingWebhook", "slackApi", "builtIn"] as const;

export const ServiceProviderInput = z.strictObject({
  protocol: z.enum(PROTOCOLS).default("accord"),
  /** Empty for incoming webhooks: the whole address is the secret there; of Slack's API its usual one. Of the card assistant the base address: `https://…/v1`. */
  endpoint: z.union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2000)]).default(""),
  /** Name of the language model, for `completions`. */
  model: z.string().max(200).default(""),
  authentication: ActionAuthentication.default({ type: "none" }),
  secret: z.string().min(1).max(8000).optional(),
});
export type ServiceProviderInput = z.output<typeof ServiceProviderInput>;

export const ServiceProvider = z.strictObject({
  service: z.enum(SERVICES),
  configured: z.boolean(),
  ...ServiceProviderInput.omit({ secret: true }).shape,
  /** Whether a secret is stored, and the host it is for. */
  hasSecret: z.boolean(),
  host: z.string(),
  updatedAt: z.iso.datetime().nullable(),
});
export type ServiceProvider = z.output<typeof ServiceProvider>;

const params = z.strictObject({ service: z.enum(SERVICES) });

export const listServiceProviders = endpoint({
  name: "listServiceProviders",
  method: "GET",
  path: "/service-providers",
  access: "READ_ACTION",
  scope: "instance",
  summary: "Every service outside that can be used, and whether it is configured; never a secret.",
  reply: z.strictObject({ providers: z.array(ServiceProvider) }),
});

export const saveServiceProvider = endpoint({
  name: "saveServiceProvider",
  method: "PUT",
  path: "/service-providers/:service",
  access: "SERVICE_CREDENTIAL",
  scope: "instance",
  summary: "Configures a service; its secret stays unless another one is sent or the host changes.",
  params,
  body: ServiceProviderInput,
  reply: ServiceProvider,
  errors: ["credential_host_changed"],
});

export const removeServiceProvider = endpoint({
  name: "removeServiceProvider",
  method: "DELETE",
  path: "/service-providers/:service",
  access: "SERVICE_CREDENTIAL",
  scope: "instance",
  summary: "Switches a service off.",
  params,
  reply: z.strictObject({}),
});
