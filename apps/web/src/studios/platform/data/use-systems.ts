/** Names and tiles of connected systems by connector id, as far as one may see them. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";

export interface System {
  name: string;
  icon: string;
  backgroundColor: string;
}

/** Systems rarely change; a list that is a minute old serves. */
const FRESH_MS = 60_000;

/** Empty for somebody who may not see connectors, and until they are read. */
export function useSystems(): ReadonlyMap<string, System> {
  const mayRead = useCan("READ_CONNECTOR");
  const { data } = useEndpoint(listConnectors, undefined, { enabled: mayRead, staleTime: FRESH_MS });
  return new Map(
    data?.connectors.map(({ id, name, metadata: { icon, backgroundColor } }) => [id, { name, icon, backgroundColor }]),
  );
}
