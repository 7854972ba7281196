/** The calls that set a service of the instance up or switch it off, and what they were refused for. */
import {
  listServiceProviders,
  removeServiceProvider,
  saveServiceProvider,
  type ServiceProviderInput,
  type ServiceProvider,
} from "@accord/contracts/sync/providers";
import { ApiError } from "../../app/api-error.ts";
import { useCall } from "../../app/queries.ts";

type Refreshed = NonNullable<NonNullable<Parameters<typeof useCall>[1]>["refreshes"]>;

interface ServiceOptions {
  service: ServiceProvider["service"];
  /** What else is read anew once it has changed. */
  refreshes?: Refreshed;
  onSaved: () => void;
  onRemoved: () => void;
}

export function useService({ service, refreshes = [], onSaved, onRemoved }: ServiceOptions) {
  const params = { service };
  const all = [...refreshes, listServiceProviders];
  const saving = useCall(saveServiceProvider, { refreshes: all, onSuccess: onSaved });
  const removing = useCall(removeServiceProvider, { refreshes: all, onSuccess: onRemoved });
  const error = saving.error ?? removing.error;
  return {
    save: (body: Omit<Partial<ServiceProviderInput>, "protocol"> & Pick<ServiceProviderInput, "protocol">) =>
      saving.mutate({ params, body }),
    remove: () => removing.mutate({ params }),
    isSaving: saving.isPending,
    isRemoving: removing.isPending,
    error,
    problemAt: (path: string): string | undefined => (error instanceof ApiError ? error.problemOf(path) : undefined),
  };
}
