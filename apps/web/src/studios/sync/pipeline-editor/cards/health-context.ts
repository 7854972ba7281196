/** Health of the published pipeline for the nodes of its graph; null where another version is open. */
import type { PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import { createContext } from "react";

export const HealthContext = createContext<PipelineHealth | null>(null);
