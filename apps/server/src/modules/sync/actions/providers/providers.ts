/** Services outside that pipelines use: configured for an instance, asked by functions, told by chat actions. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { ConnectorError } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Values } from "@accord/contracts/data/values";
import {
  CARD_ASSISTANT,
  CHAT_SERVICES,
  type ChatService,
  type ServiceName,
  type ServiceProvider,
  ServiceProviderInput,
  SERVICES,
} from "@accord/contracts/sync/providers";
import type { HttpWork } from "@accord/sync-engine/actions";
import type { DataResult } from "@accord/sync-engine/functions";
import type { Deps } from "../../../../platform/deps.ts";
import type { SendPermit } from "../../../../platform/lease-deadline.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { type Attempt, refused } from "../attempt.ts";
import { credentialHeader, originOf } from "../custom-actions/custom-requests.ts";
import { callHttp } from "../http-call.ts";
import { complete, type CompletionRequest } from "./completions.ts";
import { PROTOCOL, protocolsOf } from "./provider-protocols.ts";
import { SLACK_API, slackPoster } from "./slack.ts";
import { findProvider, readProviders, removeProvider, type StoredProvider, writeProvider } from "./providers.store.ts";

type InstanceId = Id<"instance">;

const TIMEOUT_MS = 30_000;
const OFF = ServiceProviderInput.omit({ secret: true });

const isChat = (service: ServiceName): service is ChatService => CHAT_SERVICES.some((one) => one === service);
const isWebhook = ({ protocol }: Pick<ServiceProviderInput, "protocol">): boolean => protocol === "incomingWebhook";
const secretPlace = (at: InstanceId, service: ServiceName) => ({
  instanceId: at,
  table: "service_provider",
  id: service,
  field: "secret",
});

export type ServiceProviders = ReturnType<typeof serviceProviders>;

export function serviceProviders(deps: Pick<Deps, "appDb" | "secrets" | "outbound" | "newId" | "clock">) {
  const { appDb, secrets } = deps;
  const slack = slackPoster({ outbound: deps.outbound, now: () => deps.clock.monotonicMs() });

  /** The one that stays: what was sent now, else the stored one while the origin is the same. */
  async function sealed(at: InstanceId, service: ServiceName, host: string, input: ServiceProviderInput, before: Kept) {
    if (input.secret !== undefined) return secrets.seal(secretPlace(at, service), input.secret);
    // An address is no token, and a token none: neither stays when the other is asked for.
    const isKept = before !== null && before.secret !== null && before.definition.protocol === input.protocol;
    if (isChat(service) && !isKept) throw secretMissing(input);
    if (!isKept || (input.authentication.type === "none" && !isChat(service))) return null;
    if (before.host !== host) throw new AppError("credential_host_changed", { host, hosts: before.host });
    return before.secret;
  }

  const openSecret = async (at: InstanceId, { service, secret }: StoredProvider): Promise<string | null> =>
    secret === null ? null : secrets.open(secretPlace(at, service), secret);

  async function requestOf(at: InstanceId, provider: StoredProvider, input: Values): Promise<HttpWork> {
    const { service, definition } = provider;
    const secret = await openSecret(at, provider);
    const url = isWebhook(definition) ? (secret ?? "") : definition.endpoint;
    const credential = isWebhook(definition) ? {} : credentialHeader(definition, secret);
    return {
      kind: "http",
      method: "POST",
      url,
      headers: { "content-type": "application/json", ...credential },
      secretHeaders: Object.keys(credential),
      body: JSON.stringify(PROTOCOL[definition.protocol].body(service, input, definition)),
      timeoutMs: TIMEOUT_MS,
      retries: 1,
      isRepeatable: !isChat(service),
    };
  }

  return {
    /** Who answers questions for data cards; null while nobody does. */
    async findAssistant(at: InstanceId) {
      const provider = await findProvider(appDb, at, CARD_ASSISTANT);
      if (!provider) return null;
      const { protocol, model } = provider.definition;
      return { isModel: protocol === "completions", model, host: provider.host.replace(/^https?:\/\//, "") };
    },

    /** Has the model of the card assistant answer. @throws AppError `upstream_failed`, `upstream_timeout`, `assistant_off` */
    async complete(at: InstanceId, request: CompletionRequest): Promise<string> {
      const provider = await findProvider(appDb, at, CARD_ASSISTANT);
      if (provider?.definition.protocol !== "completions") throw new AppError("assistant_off");
      const credential = credentialHeader(provider.definition, await openSecret(at, provider));
      return complete(deps.outbound, { ...provider.definition, credential, host: provider.host }, request);
    },

    list: async (at: InstanceId): Promise<ServiceProvider[]> => {
      const stored = new Map((await readProviders(appDb, at)).map((one) => [one.service, one]));
      return SERVICES.map((service) => view(service, stored.get(service) ?? null));
    },

    async save(at: InstanceId, service: ServiceName, sent: ServiceProviderInput): Promise<ServiceProvider> {
      const before = await findProvider(appDb, at, service);
      const protocol = protocolsOf(service).find((one) => one === sent.protocol) ?? protocolsOf(service)[0] ?? "accord";
      const input = { ...sent, protocol, ...(protocol === "slackApi" ? slackSettings(sent) : {}) };
      const host = hostFor(input, before);
      if (protocol === "completions" && input.model === "") {
        throw new AppError("validation_failed", {}, { errors: [{ path: "model", message: "is required" }] });
      }
      const isBuiltIn = protocol === "builtIn";
      const secret = isBuiltIn ? null : await sealed(at, service, host, input, before);
      const { secret: _secret, ...rest } = input;
      const plain = isBuiltIn ? OFF.parse({}) : rest;
      const definition = { ...plain, protocol, ...(isWebhook(input) ? { endpoint: "" } : {}) };
      await writeProvider(appDb, at, { service, definition, secret, host, now: deps.clock.now() });
      return view(service, await findProvider(appDb, at, service));
    },

    remove: (at: InstanceId, service: ServiceName): Promise<void> => removeProvider(appDb, at, service),

    /** null while the service is off. Throws `ConnectorError` when it can't be reached just now. */
    async ask(at: InstanceId, service: ServiceName, input: Values): Promise<DataResult | null> {
      const provider = await findProvider(appDb, at, service);
      if (!provider) return null;
      const { outcome, isTransient } = await callHttp(
        deps.outbound,
        await requestOf(at, provider, input),
        deps.newId(),
      );
      const { code, message } = outcome;
      if (!outcome.succeeded && isTransient) throw new ConnectorError("unavailable", `${service}: ${message ?? ""}`);
      if (!outcome.succeeded) return { ok: false, code: code ?? "service_failed", message: message ?? "It failed." };
      const found = PROTOCOL[provider.definition.protocol].read(service, outcome.body);
      return found
        ? { ok: true, found }
        : {
            ok: false,
            code: "service_answer_unreadable",
            message: actionFailures.answerUnknown,
          };
    },

    /** Posts a message; `id` is the same for each try of the action. */
    async post(
      at: InstanceId,
      service: ChatService,
      message: Values,
      id: string,
      permit?: SendPermit,
    ): Promise<Attempt> {
      const provider = await findProvider(appDb, at, service);
      if (!provider) return refused("not_configured", actionFailures.chatNotSetUp);
      if (provider.definition.protocol === "slackApi") {
        const token = (await openSecret(at, provider)) ?? "";
        const bot = { endpoint: provider.definition.endpoint, token, key: `${at} ${provider.updatedAt}` };
        return slack.post(bot, message, id, permit);
      }
      return callHttp(deps.outbound, await requestOf(at, provider, message), id, permit);
    },
  };
}

type Kept = Pick<StoredProvider, "secret" | "host" | "definition"> | null;

function hostFor(input: ServiceProviderInput, before: Kept): string {
  if (input.protocol === "builtIn") return "";
  return isWebhook(input) ? hostOfSecret(input, before) : originOf(input.endpoint);
}

/** The address of an incoming webhook is sent as its secret; without a new one the stored one stays. */
function hostOfSecret(input: ServiceProviderInput, before: Kept): string {
  if (input.secret !== undefined) return originOf(input.secret);
  if (before && isWebhook(before.definition)) return before.host;
  throw secretMissing(input);
}

function secretMissing({ protocol }: Pick<ServiceProviderInput, "protocol">): AppError {
  const message = protocol === "slackApi" ? actionFailures.slackTokenRequired : actionFailures.chatAddressRequired;
  return new AppError("validation_failed", {}, { errors: [{ path: "secret", message }] });
}

/** @throws AppError("validation_failed") for what is no bot token. */
function slackSettings({ endpoint, secret }: ServiceProviderInput) {
  if (secret !== undefined && !/^xoxb-[\w-]+$/.test(secret)) throw secretMissing({ protocol: "slackApi" });
  return { endpoint: endpoint || SLACK_API, authentication: { type: "bearer" } as const };
}

const view = (service: ServiceName, stored: StoredProvider | null): ServiceProvider => ({
  service,
  configured: stored !== null,
  ...(stored?.definition ?? OFF.parse({ protocol: protocolsOf(service)[0] })),
  hasSecret: stored !== null && stored.secret !== null,
  host: stored?.host.replace(/^https?:\/\//, "") ?? "",
  updatedAt: stored?.updatedAt ?? null,
});
