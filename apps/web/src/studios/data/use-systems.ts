/** Names and tiles of connected systems by connector id, as far as one may see them. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { useEndpoint } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";

export interface System {
  name: string;
  icon: string;
  backgroundColor: string;
}

/** Systems rarely change; a list that is a minute old serves. */
const FRESH_MS = 60_000;

const useConnectorList = () =>
  useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR"), staleTime: FRESH_MS });

/** Whether a system that `useSystems` has not is gone: nobody knows before they are read, or without the permission. */
export const useAreSystemsKnown = (): boolean => useConnectorList().data !== undefined;

/** Empty for somebody who may not see connectors, and until they are read. */
export function useSystems(): ReadonlyMap<string, System> {
  const { data } = useConnectorList();
  return new Map(
    data?.connectors.map(({ id, name, metadata: { icon, backgroundColor } }) => [id, { name, icon, backgroundColor }]),
  );
}
