/** Use cases of HTTP synapses: made, changed as drafts, published, deleted. */
import { HTTP_AUTH_METHODS, settingsProblems, synapseProblems } from "@accord/connectors";
import type { AuthMethod } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Upload } from "@accord/contracts/upload";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import type {
  HttpSynapseDefinition,
  HttpSynapseSettings,
  VariableValues,
} from "@accord/contracts/connections/http-synapse-definition";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import { refuse, type SynapseConnections } from "../connectors/index.ts";
import { demandSize } from "./draft-size.ts";
import { iconOf } from "./icon.ts";
import { demandOperator } from "./operator.ts";
import { synapseChanges } from "./synapse-changes.ts";
import { destinationsOfTrial } from "./trial-destinations.ts";
import { draftVersionOf, openedVersion, parseDefinition, synapseListView, synapseView } from "./synapse-views.ts";
import type { OpenedVersion } from "./synapse-views.ts";
import * as store from "./synapses.store.ts";
import { joinTrialCredentials, sealTrial } from "./trial-credentials.ts";

export interface NewHttpSynapse {
  name: string;
  settings: HttpSynapseSettings;
  variableValues: VariableValues;
  iconFile?: Upload | undefined;
}

export interface DraftEdit {
  revision: number;
  settings: HttpSynapseSettings;
  variableValues?: VariableValues | undefined;
  credentials?: Record<string, string> | undefined;
}

type Caller = Pick<Ctx, "instanceId" | "actor" | "can">;

export const authMethodOfSynapse = ({ authType }: Pick<HttpSynapseSettings, "authType">): AuthMethod =>
  HTTP_AUTH_METHODS.find(({ type }) => type === authType) ?? { type: "none", label: "None", fields: [] };

const isBreaking = (changes: ReturnType<typeof synapseChanges>): boolean => changes.some((one) => one.isBreaking);

export function synapsesService(deps: Deps, connections: SynapseConnections) {
  const { appDb, clock } = deps;

  const find = async (place: store.SynapsePlace, db: Db = appDb): Promise<store.SynapseRow> => {
    const row = await store.findSynapse(db, place);
    if (!row) throw new AppError("not_found", { what: "Synapse" });
    return row;
  };

  /** Changes a synapse that nobody else changes meanwhile. */
  const change = <Result>(
    place: store.SynapsePlace,
    work: (tx: Db, row: store.SynapseRow) => Promise<Result>,
  ): Promise<Result> =>
    appDb.transaction().execute(async (tx) => {
      const row = await store.lockSynapse(tx, place);
      if (!row) throw new AppError("not_found", { what: "Synapse" });
      return work(tx, row);
    });

  const view = async (place: store.SynapsePlace): Promise<HttpSynapse> => synapseView(await find(place));

  /** The draft where there is one and no version is named. */
  const openVersion = async (row: store.SynapseRow, version?: number): Promise<OpenedVersion> => {
    if (version === undefined || (row.draft && version === draftVersionOf(row))) return openedVersion(row);
    const stored = await store.findVersion(appDb, { instanceId: row.instance_id, synapseId: row.id }, version);
    if (!stored) throw new AppError("not_found", { what: "Version" });
    const status = version === row.published_version ? "APPROVED" : "ARCHIVED";
    return { version, status, definition: parseDefinition(stored) };
  };

  return {
    find,
    change,
    view,
    openVersion,
    list: async (at: Id<"instance">) => (await store.readSynapses(appDb, at)).map(synapseListView),
    get: async (place: store.SynapsePlace, version?: number) => {
      const row = await find(place);
      return synapseView(row, await openVersion(row, version));
    },

    async create({ instanceId, actor }: Caller, input: NewHttpSynapse): Promise<HttpSynapse> {
      refuse(settingsProblems(input.settings));
      const id = deps.newId<"customSynapse">();
      const icon = input.iconFile ? iconOf(input.iconFile) : null;
      const draft = { settings: input.settings, entities: [] };
      const trial = { values: input.variableValues };
      const { name } = input;
      const made = { id, instanceId, name, icon, draft, trial, by: actor.userId, now: clock.now() };
      await uniqueName(name, () => store.insertSynapse(appDb, made), "name");
      return view({ instanceId, synapseId: id });
    },

    async updateDraft(place: store.SynapsePlace, edit: DraftEdit): Promise<HttpSynapse> {
      await change(place, async (tx, row) => {
        const draft = demandDraft(row);
        demandRevision(row, edit.revision);
        refuse(settingsProblems(edit.settings));
        const { settings } = edit;
        const next = { ...draft, settings };
        demandSize(next, "settings");
        const values = edit.variableValues ?? row.trial.values ?? {};
        const stored = await trialOf(deps, row, settings, values, edit.credentials);
        await store.editSynapse(
          tx,
          place,
          {
            draft: next,
            draftRevision: row.draft_revision + 1,
            ...stored,
            trial: { ...stored.trial, values },
          },
          clock.now(),
        );
      });
      return view(place);
    },

    async setIcon(ctx: Caller, synapseId: Id<"customSynapse">, iconFile: Upload | undefined): Promise<HttpSynapse> {
      const place = { instanceId: ctx.instanceId, synapseId };
      await find(place);
      const icon = iconFile ? iconOf(iconFile) : null;
      await change(place, (tx, row) => {
        demandOperator(ctx, row.share_scope);
        return store.editSynapse(tx, place, { icon }, clock.now());
      });
      return view(place);
    },

    async createDraft(place: store.SynapsePlace): Promise<HttpSynapse> {
      await change(place, async (tx, row) => {
        if (row.draft) throw new AppError("invalid_state", { reason: "There is a draft already." });
        const draft = parseDefinition(row.published);
        await store.editSynapse(tx, place, { draft, draftRevision: row.draft_revision + 1 }, clock.now());
      });
      return view(place);
    },

    async discardDraft(place: store.SynapsePlace, revision: number): Promise<HttpSynapse> {
      await change(place, async (tx, row) => {
        demandDraft(row);
        demandRevision(row, revision);
        if (row.published_version === null)
          throw new AppError("invalid_state", { reason: "Nothing is published yet: delete the synapse instead." });
        await store.editSynapse(tx, place, { draft: null, draftRevision: row.draft_revision + 1 }, clock.now());
      });
      return view(place);
    },

    async changes(place: store.SynapsePlace) {
      const row = await find(place);
      const draft = demandDraft(row);
      const changes = synapseChanges(row.published ? parseDefinition(row.published) : null, draft);
      const all = await store.readConnectionsOf(appDb, place);
      const own = all.filter(({ instance_id: at }) => at === place.instanceId);
      const entities = new Set(changes.flatMap(({ isBreaking: breaks, entity }) => (breaks && entity ? [entity] : [])));
      const breaksAll = changes.some(({ isBreaking: breaks, entity }) => breaks && entity === null);
      const used = await Promise.all(
        own.map(async ({ id, name }) => {
          const uses = await connections.usesOf(place.instanceId, id);
          const hit = uses.filter(({ outside }) => breaksAll || outside.some((entity) => entities.has(entity)));
          return { connectorId: id, name, pipelines: hit.map((use) => ({ entityId: use.entityId, name: use.name })) };
        }),
      );
      const connectionsElsewhere = all.length - own.length;
      return { changes, problems: synapseProblems(draft), connections: used, connectionsElsewhere };
    },

    async publish(
      ctx: Caller,
      synapseId: Id<"customSynapse">,
      { revision, acceptBreaking }: { revision: number; acceptBreaking: boolean },
    ): Promise<HttpSynapse> {
      const place = { instanceId: ctx.instanceId, synapseId };
      const touched = await change(place, async (tx, row) => {
        const definition = demandDraft(row);
        demandOperator(ctx, row.share_scope);
        demandRevision(row, revision);
        refuse(synapseProblems(definition));
        const before = row.published ? parseDefinition(row.published) : null;
        const used = await store.readConnectionsOf(tx, place);
        if (!acceptBreaking && used.length > 0 && isBreaking(synapseChanges(before, definition)))
          throw new AppError("breaking_changes", { name: definition.settings.displayName });
        const version = draftVersionOf(row);
        const now = clock.now();
        await store.insertVersion(tx, place, { version, definition, by: ctx.actor.userId, now });
        await store.editSynapse(
          tx,
          place,
          { publishedVersion: version, draft: null, draftRevision: row.draft_revision + 1 },
          now,
        );
        await store.touchConnectionsOf(tx, place, now);
        return used;
      });
      await connections.changed(touched);
      return view(place);
    },

    async remove(ctx: Caller, synapseId: Id<"customSynapse">): Promise<void> {
      const place = { instanceId: ctx.instanceId, synapseId };
      await change(place, async (tx, row) => {
        demandOperator(ctx, row.share_scope);
        const used = await store.readConnectionsOf(tx, place);
        if (used.length > 0) {
          const own = used.filter(({ instance_id: at }) => at === place.instanceId).map(({ name }) => ({ name }));
          throw new AppError("in_use", { what: row.name, uses: own });
        }
        await store.deleteSynapse(tx, place);
      });
    },
  };
}

export type SynapsesService = ReturnType<typeof synapsesService>;

/** @throws AppError("invalid_state") */
export function demandDraft(row: store.SynapseRow): HttpSynapseDefinition {
  if (!row.draft) throw new AppError("invalid_state", { reason: "There is no draft: make one to change the synapse." });
  return parseDefinition(row.draft);
}

/** @throws AppError("stale_version") where the draft was changed since the caller looked at it. */
function demandRevision({ draft_revision: present }: store.SynapseRow, revision: number): void {
  if (present !== revision) throw new AppError("stale_version", { version: present });
}

/** What the draft is tested with from now on. Secrets that were entered for another destination are dropped. */
async function trialOf(
  deps: Deps,
  row: store.SynapseRow,
  settings: HttpSynapseSettings,
  values: VariableValues,
  sent: Record<string, string> | undefined,
): Promise<{ trial: store.Trial; trialSealed: string | null }> {
  const method = authMethodOfSynapse(settings);
  const destinations = destinationsOfTrial(settings, values);
  if (sent === undefined && destinations === null) return { trial: row.trial, trialSealed: row.trial_sealed };
  const at = row.instance_id;
  const joined = await joinTrialCredentials(deps, at, row, method, sent ?? {}, destinations ?? []).catch((error) => {
    if (error instanceof AppError && error.code === "credential_host_changed") return sent ?? {};
    throw error;
  });
  return sealTrial(deps, at, row.id, method, joined, destinations ?? []);
}
