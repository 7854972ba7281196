/** Reference data: the module, and how the sync engine looks something up. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { referenceDataRoutes } from "./reference-data.routes.ts";
import { referenceDataService, type ReferenceUses } from "./reference-data.service.ts";

export { findReferenceRows, type ReferenceQuestion, type ReferenceRow } from "./lookup.ts";

export function referenceDataModule(deps: Deps, needs: ReferenceUses): Module {
  return { name: "data/reference-data", routes: referenceDataRoutes(referenceDataService(deps, needs)) };
}
