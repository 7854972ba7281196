/** When the next cycle has to begin for deliveries that fall due after this one. */
import type { SinkPlan } from "../../plan/plan.ts";
import type { Run } from "../../run.ts";
import { isReadNow } from "../../state/fields/read-index.ts";

/** From a delivery's falling due to the cycle that reads its place and then tells it; longer than a claim takes. */
const READ_AFTER_MS = 500;

/** Where the place is read too, the next cycle begins late enough to read after the delivery fell due. */
export function recordDue({ run, sink }: { run: Run; sink: SinkPlan }, nextAt: number): void {
  const free = Math.max(nextAt, run.failures[sink.place.id]?.nextAt ?? 0);
  const at = isReadNow(sink.place) ? free + READ_AFTER_MS : free;
  run.nextAt = Math.min(run.nextAt ?? at, at);
}
