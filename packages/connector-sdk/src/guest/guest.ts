/**
 * The program inside of the sandbox: loads the uploaded synapse, does what the server asks of it, and asks the server
 * for HTTP. The uploaded code shares its process: the server trusts nothing that comes from here.
 */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { AsyncLocalStorage } from "node:async_hooks";
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value, Values } from "@accord/contracts/data/values";
import type { HttpReply, HttpRequest } from "../connector.ts";
import { ConnectorError } from "../errors.ts";
import type { Synapse, SynapseConnection, SynapseContext } from "./synapse.ts";
import { fromWire, toWire } from "./wire.ts";

/** The server's own bound is higher. */
const ASKS_AT_ONCE = 6;
const PIPE_FD = 3;

const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: true });
const currentCall = new AsyncLocalStorage<Value>();
const waiting = new Map<Value, { resolve(result: Value): void; reject(error: ConnectorError): void }>();
/** Calls of the server that were not answered yet. */
const openCalls = new Set<Value>();
const turns: (() => void)[] = [];
let asking = 0;
let lastAsk = 0;
let synapse: Synapse | null = null;
let connection: SynapseConnection | null = null;

const post = (message: object): void => void pipe.write(`${JSON.stringify(message)}\n`);

async function ask(name: string, args: object): Promise<Value> {
  if (asking >= ASKS_AT_ONCE) await new Promise<void>((enter) => turns.push(enter));
  asking += 1;
  const number = ++lastAsk;
  const call = currentCall.getStore() ?? null;
  try {
    // Nobody answers it, and the server ends programs that send something between its calls.
    if (!openCalls.has(call)) throw new ConnectorError("unexpected", connectionErrors.callOver);
    return await new Promise<Value>((resolve, reject) => {
      waiting.set(number, { resolve, reject });
      post({ ask: number, call, name, args });
    });
  } finally {
    waiting.delete(number);
    asking -= 1;
    turns.shift()?.();
  }
}

async function send({ signal: _, beforeSend: __, ...request }: HttpRequest): Promise<HttpReply> {
  const reply = record(await ask("send", request));
  const headers = Object.fromEntries(
    Object.entries(record(reply["headers"])).map(([name, value]) => [name, String(value)]),
  );
  return { status: Number(reply["status"]), headers, body: Buffer.from(String(reply["body"]), "base64") };
}

const record = (value: Value | undefined): Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

async function load(entry: Value): Promise<null> {
  const module: unknown = await import(String(entry));
  const found = typeof module === "object" && module !== null && "synapse" in module ? module.synapse : undefined;
  if (!isSynapse(found))
    throw new ConnectorError("configuration", connectionErrors.exportsNone, {
      hint: "Write: export const synapse = defineSynapse({ …, connect(context) { … } });",
    });
  synapse = found;
  return null;
}

const isSynapse = (data: unknown): data is Synapse =>
  typeof data === "object" && data !== null && "connect" in data && typeof data.connect === "function";

const loaded = (): Synapse => {
  if (!synapse) throw new Error("Nothing is loaded.");
  return synapse;
};

function open(args: Values): null {
  const context: SynapseContext = {
    config: record(args["config"]),
    authType: String(args["authType"]),
    credentials: Object.fromEntries(
      Object.entries(record(args["credentials"])).map(([name, value]) => [name, String(value)]),
    ),
    send,
    now: () => new Date(),
    sleep: (milliseconds) => pause(milliseconds),
    log: (level, message) => void process.stderr.write(`${level}: ${message}\n`),
  };
  connection = loaded().connect(context);
  return null;
}

async function discover(opened: SynapseConnection, args: Values): Promise<unknown> {
  const only = args["only"];
  const found = await opened.discover(Array.isArray(only) ? { only: only.map(String) } : {});
  if (Array.isArray(found)) return found;
  const entities: unknown[] = [];
  for await (const entity of found) entities.push(entity);
  return entities;
}

const METHODS = ["check", "read", "listIds", "getByIds", "lookup", "write"] as const;
const DATES = new Set(["since", "until"]);

async function invoke(name: Value, args: Values): Promise<unknown> {
  if (name === "load") return load(args["entry"] ?? "");
  if (name === "describe") {
    const { connect: _, ...description } = loaded();
    return description;
  }
  if (name === "open") return open(args);
  if (!connection) throw new Error("No connection is open.");
  if (name === "discover") return discover(connection, args);
  const method = METHODS.find((known) => known === name);
  const run: unknown = method && connection[method];
  if (typeof run !== "function")
    throw new ConnectorError("configuration", fill(connectionErrors.noMethod, { name: String(name) }));
  const request = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      DATES.has(key) && typeof value === "string" ? new Date(value) : value,
    ]),
  );
  const result: unknown = await Reflect.apply(run, connection, [request]);
  return result ?? null;
}

function onMessage(message: Values): void {
  const { call = null, answer } = message;
  if (answer !== undefined) {
    const one = waiting.get(answer);
    if (message["error"] === undefined) one?.resolve(message["result"] ?? null);
    else one?.reject(fromWire(record(message["error"]), (text) => new ConnectorError("unexpected", text)));
    return;
  }
  const reply = (outcome: object): void => {
    openCalls.delete(call);
    post({ reply: call, ...outcome });
  };
  openCalls.add(call);
  currentCall.run(call, () => {
    invoke(message["name"] ?? null, record(message["args"])).then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: toWire(error) }),
    );
  });
}

let kept = "";
pipe.setEncoding("utf8");
pipe.on("data", (chunk: string) => {
  const lines = (kept + chunk).split("\n");
  kept = lines.pop() ?? "";
  for (const line of lines) onMessage(record(parseExactJson(line)));
});
pipe.on("close", () => process.exit(0));
post({ ready: true });
