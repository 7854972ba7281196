/** Settings of the external product: read without the secret, checked, and saved with it sealed. */
import type { Id, ReplyOf } from "@accord/contracts";
import type {
  ExternalViewDefinition,
  ExternalViewSettings,
  ExternalViewSettingsInput,
  getExternalViewSettings,
} from "@accord/contracts/insights/external-view";
import { insightsExternalView } from "@accord/contracts/messages/en/insights/external-view";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import {
  deleteExternalView,
  findExternalView,
  type StoredExternalView,
  writeExternalView,
} from "./external-view.store.ts";
import { addressProblem } from "./product-addresses.ts";

const { invalid: WORDS } = insightsExternalView.external;

export const issuerOf = ({ baseUrl }: Pick<Deps["config"], "baseUrl">): string => new URL(baseUrl).origin;

const secretPlace = (at: Id<"instance">) => ({ instanceId: at, table: "external_view", id: at, field: "secret" });

export const openSecret = ({ secrets }: Pick<Deps, "secrets">, at: Id<"instance">, { secret }: StoredExternalView) =>
  secrets.open(secretPlace(at), secret);

export function externalViewSettings(
  deps: Pick<Deps, "appDb" | "secrets" | "clock" | "config">,
  { audit }: { audit: AuditLog },
) {
  const { appDb, secrets, config, clock } = deps;
  const view = (at: Id<"instance">, stored: StoredExternalView | null): ExternalViewSettings => ({
    settings: stored?.definition ?? null,
    hasSecret: stored !== null,
    issuer: issuerOf(config),
    instanceId: at,
    version: stored?.version ?? 0,
    updatedAt: stored?.updatedAt ?? null,
  });

  /** The one that stays: what was sent now, else the stored one while tokens go nowhere else. */
  async function sealed(at: Id<"instance">, sent: string | undefined, origins: string[], before: Before) {
    if (sent !== undefined) return secrets.seal(secretPlace(at), sent);
    if (!before) throw invalidField("secret", WORDS.secret);
    const others = origins.filter((origin) => !before.origins.includes(origin));
    if (others.length > 0)
      throw new AppError("credential_host_changed", { host: others.join(", "), hosts: before.origins.join(", ") });
    return before.secret;
  }

  return {
    get: async ({ instanceId }: Ctx): Promise<ReplyOf<typeof getExternalViewSettings>> =>
      view(instanceId, await findExternalView(appDb, instanceId)),

    async save(ctx: Ctx, input: ExternalViewSettingsInput): Promise<ExternalViewSettings> {
      const { instanceId: at } = ctx;
      const { secret: sent, version, ...definition } = input;
      checkAddresses(config, definition);
      const before = await findExternalView(appDb, at);
      if ((before?.version ?? 0) !== version) throw new AppError("stale_version", { version: before?.version ?? 0 });
      const origins = originsOf(definition);
      const secret = await sealed(at, sent, origins, before);
      const written = await writeExternalView(appDb, at, {
        ...{ definition, secret, version, now: clock.now() },
        // With a new secret the old origins have nothing to do with it.
        origins: sent === undefined && before ? before.origins : origins,
      });
      if (!written) throw new AppError("stale_version", {});
      await audit.record(ctx, "saveExternalViewSettings", { kind: "externalView", name: definition.name }, definition);
      return view(at, await findExternalView(appDb, at));
    },

    async remove(ctx: Ctx): Promise<void> {
      await deleteExternalView(appDb, ctx.instanceId);
      await audit.record(ctx, "removeExternalViewSettings", { kind: "externalView" });
    },
  };
}

type Before = Pick<StoredExternalView, "secret" | "origins"> | null;

const originsOf = ({ address, listAddress }: ExternalViewDefinition): string[] => [
  ...new Set([address, listAddress].flatMap((one) => (one === "" ? [] : [new URL(one).origin]))),
];

/** @throws AppError `validation_failed` */
function checkAddresses(config: Deps["config"], definition: ExternalViewDefinition): void {
  const problem = addressProblem(config, definition);
  if (problem) throw invalidField(problem.path, problem.message);
  if (definition.checksAccess && definition.listAddress === "") throw invalidField("listAddress", WORDS.needsList);
}
