/** The promise of pushed messages. Publish after the transaction committed. */
import type { EventSpec, Id } from "@accord/contracts";
import type { z } from "zod";

export interface Realtime {
  /** To everybody working in the instance. */
  publish<P extends z.ZodType>(
    instanceId: Id<"instance">,
    event: Readonly<EventSpec<P>>,
    payload: z.input<P>,
  ): Promise<void>;
  /** To every window of one user. */
  publishToUser<P extends z.ZodType>(
    userId: Id<"user">,
    event: Readonly<EventSpec<P>>,
    payload: z.input<P>,
  ): Promise<void>;
  /** Closes the windows of sessions that ended or whose rights changed; they come back if they still may. */
  disconnect(who: { sessionId: string } | { userId: Id<"user"> }): Promise<void>;
}
