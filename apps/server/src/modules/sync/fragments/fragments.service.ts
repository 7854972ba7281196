/** Use cases of fragments: saving, deleting, hiding in the palettes of an instance, and sharing with other instances. */
import type { Id, ParsedInput } from "@accord/contracts";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { fill } from "@accord/contracts/messages/fill";
import type { Fragment, FragmentContent, FragmentContext, saveFragment } from "@accord/contracts/sync/fragments";
import { fragmentFault } from "@accord/sync-engine/graph";
import type { Ctx } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import * as store from "./fragments.store.ts";

type InstanceId = Id<"instance">;
type FragmentId = Id<"fragment">;
type Caller = Pick<Ctx, "instanceId" | "actor">;

export interface FragmentDependencies {
  instances: Pick<InstancesService, "list" | "listActive">;
}

export type FragmentService = ReturnType<typeof fragmentService>;

const notFound = () => new AppError("not_found", { what: "Fragment" });

export function fragmentService(
  { appDb, appPool, clock, newId }: Pick<Deps, "appDb" | "appPool" | "clock" | "newId">,
  { instances }: FragmentDependencies,
) {
  async function nameOfInstance(id: InstanceId): Promise<string> {
    const active = await instances.listActive();
    return active.find((instance) => instance.id === id)?.displayName ?? words.otherInstance;
  }

  async function visible(instanceId: InstanceId, id: FragmentId): Promise<store.StoredFragment> {
    const fragment = await store.findFragment(appDb, instanceId, id);
    if (!fragment) throw notFound();
    return fragment;
  }

  /** Throws `invalid_state` where another instance shares it: only there it is deleted and shared on. */
  async function own(instanceId: InstanceId, id: FragmentId): Promise<void> {
    const fragment = await visible(instanceId, id);
    if (fragment.instanceId === instanceId) return;
    const instance = await nameOfInstance(fragment.instanceId);
    throw new AppError("invalid_state", { reason: fill(words.fragmentElsewhere, { instance }) });
  }

  /** Other instances of the caller's organisation in which they may work. */
  async function reachable(ctx: Ctx): Promise<Set<string>> {
    const ids = (await instances.list(ctx, "")).map(({ accordId }) => accordId);
    return new Set(ids.filter((id) => id !== ctx.instanceId));
  }

  return {
    async list({ instanceId }: Pick<Caller, "instanceId">, context?: FragmentContext): Promise<Fragment[]> {
      const stored = await store.readFragments(appDb, instanceId);
      const shown = stored.filter((fragment) => context === undefined || fragment.context === context);
      const isAnyShared = shown.some((fragment) => fragment.instanceId !== instanceId);
      const names = new Map(
        (isAnyShared ? await instances.listActive() : []).map((each) => [each.id, each.displayName]),
      );
      return shown.map((fragment) => view(fragment, instanceId, names));
    },

    async save({ instanceId, actor }: Caller, { content, ...named }: ParsedInput<typeof saveFragment>["body"]) {
      refuseFaults(content);
      const { userId, firstName, lastName } = actor;
      const fragment = {
        id: newId<"fragment">(),
        instanceId,
        ...named,
        content,
        createdBy: { userId, firstName, lastName },
        createdAt: clock.now().toISOString(),
      };
      await uniqueName(named.name, () => store.insertFragment(appDb, fragment));
      return view({ ...fragment, isHidden: false, shareCount: 0 }, instanceId, new Map());
    },

    async remove({ instanceId }: Caller, id: FragmentId): Promise<void> {
      await own(instanceId, id);
      await store.removeFragment(appDb, instanceId, id);
    },

    async hide({ instanceId }: Caller, id: FragmentId): Promise<void> {
      await visible(instanceId, id);
      await store.setHidden(appDb, instanceId, id, true);
    },

    async show({ instanceId }: Caller, id: FragmentId): Promise<void> {
      await visible(instanceId, id);
      await store.setHidden(appDb, instanceId, id, false);
    },

    /** Only those that the caller may work in are named. */
    async shares(ctx: Ctx, id: FragmentId): Promise<InstanceId[]> {
      await own(ctx.instanceId, id);
      const mine = await reachable(ctx);
      return (await store.readShares(appDb, ctx.instanceId, id)).filter((instanceId) => mine.has(instanceId));
    },

    /** Exactly these of the instances that the caller may work in; what others shared it with stays. */
    async share(ctx: Ctx, id: FragmentId, instanceIds: readonly InstanceId[]): Promise<InstanceId[]> {
      await own(ctx.instanceId, id);
      const mine = await reachable(ctx);
      const wanted = [...new Set(instanceIds)].filter((instanceId) => instanceId !== ctx.instanceId);
      if (wanted.some((instanceId) => !mine.has(instanceId))) throw new AppError("not_found", { what: "Instance" });
      await transaction(appPool, async ({ db }) => {
        if (!(await store.lockFragment(db, ctx.instanceId, id))) throw notFound();
        const before = await store.readShares(db, ctx.instanceId, id);
        await store.replaceShares(db, id, [...before.filter((instanceId) => !mine.has(instanceId)), ...wanted]);
      });
      return wanted;
    },
  };
}

function refuseFaults(content: FragmentContent): void {
  const fault = fragmentFault(content);
  if (!fault) return;
  const error =
    "node" in fault
      ? { path: "content.copyNodes", message: fill(words.fragmentNode, { label: fault.node }) }
      : { path: "content.copyEdges", message: words.fragmentEdge };
  throw new AppError("validation_failed", {}, { errors: [error] });
}

function view(
  { instanceId, isHidden, createdBy, ...fragment }: store.ListedFragment,
  here: InstanceId,
  names: ReadonlyMap<string, string>,
): Fragment {
  const { firstName, lastName } = createdBy;
  return {
    ...fragment,
    hidden: isHidden,
    sharedBy: instanceId === here ? null : (names.get(instanceId) ?? words.otherInstance),
    createdBy: { firstName, lastName },
  };
}
