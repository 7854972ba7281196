/** Which of its two calls an entity's list is read by: the list itself, or the one for changes that some APIs have. */
import type { ReadRequest } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Position } from "./position.ts";

export interface AskedList {
  /** The entity with the call in the place of its list. */
  entity: HttpEntityConfig;
  isOfChanges: boolean;
  /** A pass over a call that is described no more begins anew. */
  position: Position;
}

/** A pass ends by the call it began with; a new one asks for changes where a moment is known. */
export function askedList(
  entity: HttpEntityConfig,
  position: Position,
  { mode, since, cursor }: ReadRequest,
): AskedList {
  const { changes, watermark } = entity.list;
  if (!changes) {
    const isGone = position.pass?.isOfChanges === true;
    return { entity, isOfChanges: false, position: isGone ? { ...position, pass: null } : position };
  }
  const known = position.since !== null || (cursor === null && since !== undefined);
  const isOfChanges = position.pass ? position.pass.isOfChanges : mode === "changes" && known;
  const list = isOfChanges
    ? { ...entity.list, ...changes, pagesAhead: 0 }
    : { ...entity.list, watermark: watermark && { ...watermark, param: "", untilParam: "", sorted: false } };
  return { entity: { ...entity, list }, isOfChanges, position };
}
