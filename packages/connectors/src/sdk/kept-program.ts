/** The process of one open connection: started when it is needed, replaced when it is old, ended when it is idle. */
import { ConnectorError, type ConnectContext, type SynapseProgram } from "@accord/connector-sdk";

const IDLE_MS = 60_000;
/** A process may use so much of the processor in its life: one that is busy for long is replaced before that. */
const LIFETIME_MS = 10 * 60_000;
const MAX_CALLS = 500;

export interface KeptProgram {
  call: SynapseProgram["call"];
  close(): Promise<void>;
}

interface Running {
  program: SynapseProgram;
  since: number;
  calls: number;
  underWay: number;
}

/** `begin` is what a fresh process is sent first. */
export function keptProgram(
  { openProgram, now }: Pick<ConnectContext, "openProgram" | "now">,
  begin: (program: SynapseProgram) => Promise<void>,
): KeptProgram {
  let starting: Promise<Running> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const start = async (): Promise<Running> => {
    if (!openProgram)
      throw new ConnectorError("configuration", "Uploaded synapses can't be used here.", { neverSent: true });
    // Masked contexts take out what they know of.
    const program = await openProgram((text) => text);
    try {
      await begin(program);
    } catch (error) {
      await program.close();
      throw error;
    }
    return { program, since: now().getTime(), calls: 0, underWay: 0 };
  };
  const isWorn = ({ program, since, calls, underWay }: Running): boolean =>
    program.hasEnded || (underWay === 0 && (calls >= MAX_CALLS || now().getTime() - since > LIFETIME_MS));
  const stop = async (): Promise<void> => {
    const former = starting;
    starting = null;
    const running = await former?.catch(() => null);
    await running?.program.close();
  };
  const running = async (): Promise<Running> => {
    if (isClosed) throw new ConnectorError("unexpected", "The connection is closed.", { neverSent: true });
    const current = await starting?.catch(() => null);
    if (current && isWorn(current)) await stop();
    else if (current) return current;
    starting ??= start();
    try {
      return await starting;
    } catch (error) {
      starting = null;
      throw error;
    }
  };

  return {
    async call(name, args, options) {
      const one = await running();
      clearTimeout(idle);
      one.calls += 1;
      one.underWay += 1;
      try {
        return await one.program.call(name, args, options);
      } finally {
        one.underWay -= 1;
        clearTimeout(idle);
        idle = setTimeout(() => void (one.underWay === 0 && stop()), IDLE_MS);
        idle.unref();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await stop();
    },
  };
}
