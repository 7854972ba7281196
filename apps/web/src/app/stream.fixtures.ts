/** The server's side of the message stream, for tests: opens at once, and sends what a test wants sent. */
import { STREAM_PATH } from "@accord/contracts";
import { closeStream, openStream } from "./realtime.ts";

class StreamConnection {
  binaryType = "blob";
  readyState = 1;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: object) => void;
  constructor() {
    setTimeout(() => {
      this.onopen?.();
      this.receive('0{"sid":"one","upgrades":[],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000000}');
    });
  }
  send(packet: string) {
    if (packet === "40") setTimeout(() => this.receive('40{"sid":"two"}'));
  }
  close() {
    this.readyState = 3;
    this.onclose?.({});
  }
  receive(data: string) {
    this.onmessage?.({ data });
  }
  event(name: string, payload: object) {
    this.receive(`42${JSON.stringify([name, payload])}`);
  }
}

let isOpen = false;
let connection: StreamConnection | undefined;

/** Once for all files of a worker: the stream's library keeps the `WebSocket` that was there when it was loaded. */
let isInPlace = false;
function takeSocketsOfStream(): void {
  if (isInPlace) return;
  isInPlace = true;
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct: (target, args: [string]) =>
      isOpen && args[0].includes(STREAM_PATH) ? (connection = new StreamConnection()) : Reflect.construct(target, args),
  });
}

/** Opens the app's stream to it; after `close` streams go to the network again. */
export function openFakeStream(): { current: () => StreamConnection | undefined; close: () => void } {
  takeSocketsOfStream();
  isOpen = true;
  openStream();
  return {
    current: () => connection,
    close: () => {
      closeStream();
      isOpen = false;
      connection = undefined;
    },
  };
}
