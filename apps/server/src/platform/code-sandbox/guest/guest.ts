/** Runs programs in QuickJS in WebAssembly, each run in a context of its own. Runs in a process of its own. */
import { readFileSync } from "node:fs";
import imported from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { CODE_LIMITS } from "../limits.ts";
import type { CodeFailure, CodeResult, Entry } from "../protocol.ts";
import { PRELUDE } from "./prelude.ts";

const PAGE_BYTES = 65_536;
/** WebAssembly memory that QuickJS is linked for. */
const FIRST_PAGES = 256;
const FILE = "code.js";

export interface Program {
  program: string;
  entry: Entry;
  timeoutMs: number;
}

export interface Run extends Program {
  /** JSON of the arguments. */
  input: string;
  /** What `Date` gives, in UTC milliseconds. */
  now: number;
}

/** One WebAssembly instance: the heap of all that runs in it. */
export interface Guest {
  run(run: Run): CodeResult;
  /** The program is read and its beginning is run, its function is not called. null: nothing is wrong. */
  check(program: Program): CodeFailure | null;
  /** After a run that did not end by itself nothing is run here any more. */
  readonly isSpent: boolean;
}

const wasmModule = new WebAssembly.Module(
  readFileSync(new URL(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"))),
);

/** The package's types are those of its CommonJS form, where the variant is a member of what is imported. */
const variant = "default" in imported ? imported.default : imported;

const failure = (code: CodeFailure["code"], message: string): CodeFailure => ({ ok: false, code, message });

/** QuickJS asks for the time through `Date.now` alone, and its random numbers begin with it. */
let clock = 0;
const machineTime = Date.now;
const sandboxTime = (): number => clock;

export async function newGuest(): Promise<Guest> {
  const wasmMemory = new WebAssembly.Memory({
    initial: FIRST_PAGES,
    maximum: CODE_LIMITS.memory / PAGE_BYTES,
  });
  const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));
  let isSpent = false;
  const attempt = (program: Program, run: Run | null): CodeResult => {
    Date.now = sandboxTime;
    try {
      const { result, isWhole } = runOnce(quickJs, program, run);
      isSpent = !isWhole;
      return result;
    } catch (problem) {
      // WebAssembly itself gave up: its memory may be in any state.
      isSpent = true;
      return problem instanceof RangeError
        ? failure("code_failed", "Functions call one another too deeply.")
        : failure("code_out_of_memory", OUT_OF_MEMORY);
    } finally {
      Date.now = machineTime;
    }
  };
  return {
    run: (run) => attempt(run, run),
    check: (program) => {
      const result = attempt(program, null);
      return result.ok ? null : result;
    },
    get isSpent() {
      return isSpent;
    },
  };
}

const OUT_OF_MEMORY = `The code needs more than ${CODE_LIMITS.heap / 1024 / 1024} MB of memory.`;

/** Time of the processor, so that a busy machine is not held against the code. Programs can't wait for anything. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** `isWhole`: everything was given back, the next run may use the same instance. */
function runOnce(
  quickJs: QuickJSWASMModule,
  { program, entry, timeoutMs }: Program,
  run: Run | null,
): { result: CodeResult; isWhole: boolean } {
  const deadline = usedMs() + timeoutMs;
  let isLate = false;
  clock = run ? seedOf(run) : 0;
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(CODE_LIMITS.heap);
  runtime.setMaxStackSize(CODE_LIMITS.stack);
  runtime.setInterruptHandler(() => (isLate ||= usedMs() > deadline));
  const context = runtime.newContext();
  clock = run?.now ?? 0;
  const result = execute(context, { program, entry, input: run?.input ?? null });
  if (isLate) {
    const seconds = timeoutMs / 1000;
    return { result: failure("code_timed_out", `The code did not end within ${seconds} s.`), isWhole: false };
  }
  const isWhole = result.ok || result.code !== "code_out_of_memory";
  // What ran out of memory may have left things behind, which QuickJS refuses to give back.
  if (isWhole) {
    context.dispose();
    runtime.dispose();
  }
  return { result, isWhole };
}

function execute(
  context: QuickJSContext,
  { program, entry, input }: Pick<Program, "program" | "entry"> & { input: string | null },
): CodeResult {
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, "accord.js", { type: "global" }));
  const [prepare, call, describe] = [
    context.getProp(prelude, "prepare"),
    context.getProp(prelude, "call"),
    context.getProp(prelude, "describe"),
  ];
  const handles = [prelude, prepare, call, describe];
  const kept = (handle: QuickJSHandle): QuickJSHandle => {
    handles.push(handle);
    return handle;
  };
  const failed = (problem: QuickJSHandle, isBeginning = false): CodeFailure => {
    const described = context.callFunction(describe, context.undefined, kept(problem));
    if (!described.error) return failureOf(context.getString(kept(described.value)), isBeginning);
    kept(described.error);
    return failure("code_failed", "The code failed, and its error can't be read.");
  };
  const outcome = ((): CodeResult => {
    if (input !== null) {
      const prepared = context.callFunction(prepare, context.undefined, kept(context.newString(input)));
      if (prepared.error) return failed(prepared.error);
      kept(prepared.value);
    }
    const begun = context.evalCode(program, FILE, { type: "global", strict: true });
    if (begun.error) return failed(begun.error, true);
    kept(begun.value);
    const found = context.evalCode(`typeof ${entry} === "function" ? ${entry} : undefined`, "accord.js", {
      type: "global",
    });
    if (found.error) return failed(found.error);
    if (context.typeof(kept(found.value)) !== "function")
      return failure("code_without_function", `The code has no function called ${entry}.`);
    if (input === null) return { ok: true, output: "" };
    const called = context.callFunction(call, context.undefined, found.value);
    if (called.error) return failed(called.error);
    const text = context.getString(kept(called.value));
    if (text.startsWith("=")) return { ok: true, output: text.slice(1) };
    return failure("code_result_unusable", text.slice(1, CODE_LIMITS.message));
  })();
  for (const handle of handles.toReversed()) handle.dispose();
  return outcome;
}

const PLACE = /\bcode\.js:(\d+)/;

/** @param described name, stack and message, as the prelude puts them together */
function failureOf(described: string, isBeginning: boolean): CodeFailure {
  const nameEnd = described.indexOf("\n");
  const stackEnd = described.indexOf("\n\n", nameEnd);
  const name = described.slice(0, nameEnd).slice(0, 100);
  const message = described.slice(stackEnd).trim().slice(0, CODE_LIMITS.message) || "no message";
  if (name === "InternalError" && message === "out of memory") return failure("code_out_of_memory", OUT_OF_MEMORY);
  const line = PLACE.exec(described.slice(nameEnd, stackEnd))?.[1];
  const place = line === undefined ? "The code failed: " : `Line ${line}: `;
  const text = name === "" || name === "Error" ? message : `${name}: ${message}`;
  return failure(isBeginning && name === "SyntaxError" ? "code_syntax" : "code_failed", `${place}“${text}”`);
}

/** The same run has the same random numbers each time, another input has others. */
function seedOf({ input, now }: Pick<Run, "input" | "now">): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < input.length; index += 1)
    hash = Math.imul(hash ^ input.charCodeAt(index), 0x01000193) >>> 0;
  return Math.abs(Math.trunc(now)) + hash * 1_000;
}
