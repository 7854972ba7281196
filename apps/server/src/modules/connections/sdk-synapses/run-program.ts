/** Uploaded code as the connector of its type sees it: started in a sandbox, its failures classified. */
import { ConnectorError, type SynapseProgram } from "@accord/connector-sdk";
import { entryOf, fromWire, GUEST_ENTRY, guestFiles, SYNAPSE_FOLDER, toWire } from "@accord/connector-sdk/guest";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { type Program, type Sandbox, SandboxUnavailableError } from "../../../platform/sandbox/sandbox.ts";
import { ProgramError, SandboxError, type SandboxedProcess } from "../../../platform/sandbox/sandboxed-process.ts";
import type { CodeFiles } from "./archive.ts";

/** For whom, and where its log goes. */
export type Start = Pick<Program, "instanceId" | "isTest" | "signal" | "onLog">;

/** Starts the code and loads it. Throws `ConnectorError`: nothing was sent anywhere by then. */
export async function startProgram(
  sandbox: Sandbox,
  { main, files }: CodeFiles,
  start: Start,
): Promise<SynapseProgram & Pick<SandboxedProcess, "log">> {
  const inside = [...files].map(([path, bytes]) => [`${SYNAPSE_FOLDER}/${path}`, bytes] as const);
  const process = await classified(
    () =>
      sandbox.start({
        ...start,
        files: new Map([...guestFiles(), ...inside]),
        entry: GUEST_ENTRY,
        describeError: toWire,
      }),
    notStarted,
  );
  try {
    await classified(() => process.call("load", { entry: entryOf(main) }, { signal: start.signal }), notSent);
  } catch (error) {
    await process.close();
    throw error;
  }
  return {
    call: (name, args, options) => classified(() => process.call(name, args, options)),
    log: process.log,
    get hasEnded() {
      return process.hasEnded;
    },
    close: () => process.close(),
  };
}

/** What the code says of itself, or what is wrong with that. Throws `ConnectorError`. */
export async function describeProgram(sandbox: Sandbox, code: CodeFiles, start: Start): Promise<SynapseDescription> {
  const program = await startProgram(sandbox, code, start);
  const { signal } = start;
  try {
    const refuseAll = (): Promise<never> =>
      Promise.reject(new ConnectorError("outboundRefused", "Nothing is connected."));
    const parsed = SynapseDescription.safeParse(await program.call("describe", {}, { signal, ask: refuseAll }));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new ConnectorError(
      "configuration",
      `The synapse describes itself wrongly: ${issue?.path.join(".")}: ${issue?.message}.`,
    );
  } finally {
    await program.close();
  }
}

async function classified<Result>(
  work: () => Promise<Result>,
  failed: (error: unknown) => unknown = classify,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failed(error);
  }
}

/** It had no place, no process or no room on the disk: it is tried again like a system that is down. */
function notStarted(error: unknown): unknown {
  if (error instanceof SandboxUnavailableError) return classify(error);
  const message = error instanceof SandboxError ? error.message : "The program could not be started on this server.";
  return new ConnectorError("unavailable", message, { neverSent: true, cause: error });
}

/** While code is loaded nobody answers its requests. */
const notSent = (error: unknown): unknown => classify(error, true);

function classify(error: unknown, neverSent = false): unknown {
  if (error instanceof ProgramError)
    return fromWire(error.details, (message) => new ConnectorError("unexpected", `The synapse failed: ${message}`));
  if (error instanceof SandboxUnavailableError) {
    const { reason, fix } = error.availability;
    return new ConnectorError("configuration", `Uploaded code can't run on this server: ${reason}`, {
      neverSent: true,
      ...(fix !== null && { hint: fix }),
    });
  }
  if (!(error instanceof SandboxError)) return error;
  return new ConnectorError(error.reason === "timeout" ? "timeout" : "unexpected", error.message, { neverSent });
}
