/** What the steps of the core node ask for, as flat values over its configuration. Pure. */
import { CoreConfiguration, type NodeConfiguration } from "@accord/contracts/sync/graph";
import { duplicatesForm, withDuplicatesForm } from "../core-options.model.ts";

export type StepValues = Record<string, unknown>;

export function stepValues(configuration: NodeConfiguration): StepValues {
  const core = CoreConfiguration.safeParse(configuration).data ?? CoreConfiguration.parse({});
  const { authority, ranking, selectedSource, rejectEmptyValues } = core;
  return { authority, ranking, selectedSource, rejectEmptyValues, ...duplicatesForm(configuration) };
}

/** The configuration with what the steps were answered; what no step asks for stays. Undefined while it is not complete. */
export function withStepValues(configuration: NodeConfiguration, values: StepValues): NodeConfiguration | undefined {
  const { selectedSource: _before, ...others } = configuration;
  const { authority, ranking, selectedSource, rejectEmptyValues } = values;
  const next = withDuplicatesForm(
    {
      ...others,
      ...{ authority, ranking, rejectEmptyValues },
      ...(typeof selectedSource === "string" && selectedSource !== "" ? { selectedSource } : {}),
    },
    values,
  );
  return CoreConfiguration.safeParse(next).success ? next : undefined;
}
