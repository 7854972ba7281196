/** The author's test as it is filled in and run: it lasts while one goes through the steps, in memory alone. */
import { testSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { initialValues } from "../../../shared/config-form/config-form.model.ts";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { sentConnection, type ConnectionForm } from "../connections.model.ts";
import { triedType } from "./sdk-synapse.model.ts";

export type Trial = ReturnType<typeof useTrial>;
type Typed = Partial<Omit<ConnectionForm, "name">>;
type Values = Readonly<Record<string, unknown>>;

/** Values of inputs that there are. */
const valuesOf = (values: Values, inputs: readonly { name: string }[]): Record<string, unknown> =>
  Object.fromEntries(inputs.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));

/** What was typed, as far as the program as it is now asks for it; what it asks for anew begins as it says. */
function formOf({ configFields, authMethods }: SynapseDescription, typed: Typed): ConnectionForm {
  const method = authMethods.find(({ type }) => type === typed.authType) ?? authMethods[0];
  return {
    name: "",
    config: { ...initialValues(configFields, {}), ...valuesOf(typed.config ?? {}, configFields) },
    authType: method?.type ?? "none",
    credentials: valuesOf(typed.credentials ?? {}, method?.fields ?? []),
  };
}

interface Tried {
  synapse: SdkSynapse | undefined;
  version: SdkSynapseVersion | null;
  description: SynapseDescription | null;
  /** Whether leaving loses something that is still of use. */
  isInWork: boolean;
}

export function useTrial({ synapse, version, description, isInWork }: Tried) {
  const [typed, setTyped] = useState<Typed>({});
  const [showAll, setShowAll] = useState(false);
  const [ranHash, setRanHash] = useState<string>();
  const test = useCall(testSdkSynapse);
  useUnsavedChanges(isInWork && Object.keys(typed).length > 0);
  const id = synapse?.connectorMetaDefinitionId;
  const contentHash = version?.contentHash;
  const isOfThis = ranHash === contentHash;
  const error = isOfThis ? test.error : null;
  return {
    /** null: it is not known yet what the program asks for. */
    inputs: id && description ? { type: triedType(id, description), form: formOf(description, typed) } : null,
    showAll: showAll && isOfThis,
    isRunning: test.isPending,
    error,
    problems: error instanceof ApiError ? error.fieldProblems : [],
    result: isOfThis ? test.data : undefined,
    /** The last test was of files that there are no longer. */
    isOutdated: !isOfThis && (test.data !== undefined || test.error !== null),
    change(part: Typed): void {
      if (test.error) test.reset();
      setTyped((old) => ({ ...old, ...part }));
    },
    run(): void {
      if (!id || !description || test.isPending) return;
      setShowAll(true);
      setRanHash(contentHash);
      const { config, authType, credentials } = sentConnection(triedType(id, description), formOf(description, typed));
      test.mutate({ params: { connectorMetaDefinitionId: id }, body: { config, authType, credentials } });
    },
  };
}
