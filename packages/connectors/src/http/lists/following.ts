/** Where a pass goes on after a page: at the next page, or in a sorted list from the last time stamp. */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import { nextCursor, START, type PageCursor } from "./paging.ts";
import type { Pass } from "./position.ts";

export interface Answered {
  json: Value;
  headers: Readonly<Record<string, string>>;
  /** Records on the page. */
  count: number;
  lastId: string | null;
  /** When its last record was changed. */
  lastTime: string | undefined;
}

/**
 * null when the pass is through. A sorted list goes on from the last time stamp whatever its paging is: what is changed
 * meanwhile goes to the end of it, and all behind slides forward beneath page numbers, and beneath those cursors and
 * links that are page numbers in truth.
 */
export function following(
  entity: HttpEntityConfig,
  pass: Pass,
  place: PageCursor,
  { json, headers, count, lastId, lastTime }: Answered,
): Pick<Pass, "at" | "step" | "stepRead"> | null {
  const { largest, stepRead, emptyPages } = pass;
  const left = leftOf(pass);
  const at = nextCursor(entity, place, { json, headers, count, lastId, left, largest, emptyPages });
  const bound = entity.list.stop.maxRecords ?? null;
  // Many searches end at their bound as if that were all there is; others refuse a page that reaches beyond it.
  const isReached = bound !== null && (at === null ? stepRead >= bound : stepRead + largest > bound);
  const isAtBound = isReached && left !== 0;
  if (at === null && !isAtBound) return null;
  const step = stepAfter(entity, pass, lastTime);
  if (step !== null) return { at: START, step, stepRead: 0 };
  if (at === null || isAtBound) throw endOfSearch(entity, stepRead);
  return { at, step: pass.step, stepRead };
}

/** The moment from which the next page is asked for; null where the next page is asked for as such. */
function stepAfter({ list }: HttpEntityConfig, pass: Pass, lastTime: string | undefined): string | null {
  const { watermark } = list;
  // From the time of an only record on it would be answered again.
  if (!watermark?.sorted || !lastTime || pass.largest === 1) return null;
  // One unit back, so that records with the very same time stamp are not passed over.
  const step = stepBefore(lastTime, watermark.format);
  return pass.step === null || step > pass.step ? step : null;
}

function stepBefore(iso: string, format: string): string {
  const unit = format === "epochSeconds" || format === "isoSeconds" ? 1000 : format === "date" ? 86_400_000 : 1;
  return new Date(Date.parse(iso) - unit).toISOString();
}

const endOfSearch = ({ displayName, list }: HttpEntityConfig, read: number): ConnectorError =>
  new ConnectorError("configuration", `${displayName} has more than the ${read} records that one search shows.`, {
    hint: list.watermark?.sorted
      ? "So many have the same time of change, so the search can't go on from there: read the whole list instead."
      : "Describe the list by another call, or one that answers the oldest changes first.",
  });

/** Records of the total that were not read yet, 0 or more; pages that are counted from later moments tell others. */
export const leftOf = ({ total, step, read }: Pass): number | null =>
  total === null || step !== null ? null : Math.max(0, total - read);
