/**
 * How often the reading of a list began anew because no page could follow the one before. It is counted while a
 * connection is open, not in the position: after a cycle that failed by it, the next one may begin anew again.
 */
import { ConnectorError, type ReadRequest } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Position } from "./position.ts";

const MAX_RESTARTS = 3;

/** By entity and kind of reading. */
export type Restarts = Map<string, number>;

interface Reader {
  entity: HttpEntityConfig;
  restarts: Restarts;
  mustBeWhole?: boolean;
}

const nameOf = ({ entity, mustBeWhole }: Reader, { mode }: Pick<ReadRequest, "mode">): string =>
  `${entity.apiName} ${mustBeWhole ? "ids" : mode}`;

/** The position from which the pass begins anew. @throws what `refusal` gives where it has too often. */
export function restarted(
  reader: Reader,
  request: Pick<ReadRequest, "mode">,
  { since, again }: Position,
  refusal: () => ConnectorError,
): Position {
  const name = nameOf(reader, request);
  const count = reader.restarts.get(name) ?? 0;
  if (count >= MAX_RESTARTS) {
    reader.restarts.delete(name);
    throw refusal();
  }
  reader.restarts.set(name, count + 1);
  return { since, again, pass: null };
}

/** The list was read to its end. */
export const finished = (reader: Reader, request: Pick<ReadRequest, "mode">): void =>
  void reader.restarts.delete(nameOf(reader, request));

export const noneThere = (): ConnectorError =>
  new ConnectorError("unexpected", "A page without records says that there are more.", {
    hint: "The next page is asked for by the last record of the one before: check where the answer says that there are more.",
  });
