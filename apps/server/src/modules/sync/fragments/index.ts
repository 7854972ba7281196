/** Fragments of pipelines: the module. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { fragmentRoutes } from "./fragments.routes.ts";
import { type FragmentDependencies, fragmentService } from "./fragments.service.ts";

export function fragmentsModule(deps: Deps, needs: FragmentDependencies): Module {
  return { name: "sync/fragments", routes: fragmentRoutes(fragmentService(deps, needs)) };
}
