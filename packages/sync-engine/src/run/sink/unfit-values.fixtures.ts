/** A destination whose names are limited in length, and what stands as refused there. */
import type { Value } from "@accord/contracts/data/values";
import type { PipelineDriver } from "@accord/sync-simulation/testing";
import { ConversionError } from "../plan/plan.ts";

/** What `B` takes as a name, by its schema as it was read last. */
export function namesTake(driver: PipelineDriver, length: number): void {
  const convert = (value: Value) =>
    typeof value === "string" && value.length > length ? new ConversionError("too_long") : value;
  const sinks = driver.plan.sinks.map((sink) => {
    if (sink.place.connectorId !== "B") return sink;
    const mappings = sink.mappings.map((one) => (one.coreField === "name" ? { ...one, convert } : one));
    return { ...sink, mappings, fits: `names of ${length}` };
  });
  driver.plan = { ...driver.plan, sinks };
}

/** Of each delivery that is left: what the names took when it was parked. */
export const parked = ({ store }: PipelineDriver) => [...store.deliveries.values()].map(({ unfit }) => unfit);
