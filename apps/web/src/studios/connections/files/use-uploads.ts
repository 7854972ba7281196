/** Uploads of this page: piece by piece, one file after the other, tried again where the connection broke. */
import {
  beginFileUpload,
  deleteConnectorFile,
  FILE_PIECE_BYTES,
  listConnectorFiles,
  sendFilePiece,
  type ConnectorFile,
} from "@accord/contracts/connections/connector-files";
import { useEffect, useRef, useState } from "react";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";
import { refresh } from "../../../app/queries.ts";
import type { ConnectorId } from "../queries.ts";

export interface Upload {
  key: string;
  file: File;
  sent: number;
  /** What keeps it from going on; null while it does. */
  problem: string | null;
}

/** Pauses in milliseconds before a piece is sent again. */
const PAUSES = [1_000, 2_000, 4_000, 8_000] as const;

const isLost = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 502 || error.status === 503 || error.status === 504);

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

export interface Uploads {
  list: readonly Upload[];
  add(files: Iterable<File>): void;
  retry(key: string): void;
  cancel(key: string): void;
}

export function useUploads(connectorId: ConnectorId, onArrived: (file: ConnectorFile) => void): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());
  /** What the server has of each, by key: nothing else may be deleted with it. */
  const begun = useRef(new Map<string, ConnectorFile["id"]>());
  const turn = useRef(Promise.resolve());
  const count = useRef(0);
  useEffect(() => {
    const controllers = running.current;
    return () => controllers.forEach((controller) => controller.abort());
  }, []);
  const change = (key: string, part: Partial<Upload>) =>
    setList((old) => old.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const drop = (key: string) => setList((old) => old.filter((one) => one.key !== key));

  const start = (key: string, file: File): void => {
    const controller = new AbortController();
    running.current.set(key, controller);
    change(key, { problem: null });
    turn.current = turn.current.then(async () => {
      try {
        const arrived = await send(connectorId, file, controller.signal, {
          onBegun: (id) => begun.current.set(key, id),
          onSent: (sent) => change(key, { sent }),
        });
        drop(key);
        onArrived(arrived);
      } catch (error) {
        if (!isAborted(error)) change(key, { problem: explanationOf(error) });
      } finally {
        running.current.delete(key);
        void refresh(listConnectorFiles);
      }
    });
  };

  return {
    list,
    add(files) {
      for (const file of files) {
        count.current += 1;
        const key = `${count.current}`;
        setList((old) => [...old, { key, file, sent: 0, problem: null }]);
        start(key, file);
      }
    },
    retry(key) {
      const upload = list.find((one) => one.key === key);
      if (upload) start(key, upload.file);
    },
    cancel(key) {
      const fileId = begun.current.get(key);
      running.current.get(key)?.abort();
      drop(key);
      if (fileId) void giveUp(connectorId, fileId);
    },
  };
}

const fingerprintOf = (file: File): string => `${file.lastModified}`;

async function send(
  connectorId: ConnectorId,
  file: File,
  signal: AbortSignal,
  { onBegun, onSent }: { onBegun: (id: ConnectorFile["id"]) => void; onSent: (bytes: number) => void },
): Promise<ConnectorFile> {
  const body = { name: file.name, size: file.size, fingerprint: fingerprintOf(file) };
  const { arrived, ...begun } = await again(
    () => call(beginFileUpload, { params: { connectorId }, body }, { signal }),
    signal,
  );
  onBegun(begun.id);
  void refresh(listConnectorFiles);
  // The same file, begun before, goes on where it was; of another one the server refuses the first piece that differs.
  const isSame = arrived !== null && (await digestOf(file, begun.received)) === arrived;
  let state: ConnectorFile = begun;
  for (let at = isSame ? begun.received : 0; at < file.size; at += FILE_PIECE_BYTES) {
    onSent(at);
    const piece = file.slice(at, at + FILE_PIECE_BYTES);
    const input = { params: { connectorId, fileId: begun.id, number: at / FILE_PIECE_BYTES }, body: { piece } };
    state = await again(() => call(sendFilePiece, input, { signal, background: true }), signal);
  }
  return state;
}

/** As of `BegunUpload`; null where the browser makes none, as on pages that come without encryption. */
async function digestOf(file: File, length: number): Promise<string | null> {
  if (!globalThis.isSecureContext) return null;
  const { subtle } = globalThis.crypto;
  const digests: ArrayBuffer[] = [];
  for (let at = 0; at < length; at += FILE_PIECE_BYTES) {
    const piece = file.slice(at, Math.min(length, at + FILE_PIECE_BYTES));
    digests.push(await subtle.digest("SHA-256", await piece.arrayBuffer()));
  }
  const all = await subtle.digest("SHA-256", await new Blob(digests).arrayBuffer());
  return [...new Uint8Array(all)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Repeats what failed for want of a connection. */
async function again<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error)) throw error;
      await waited(pause, signal);
    }
  }
  return work();
}

const waited = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("Canceled", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });

/** Deletes what has arrived of it. What can't be deleted now is deleted after a day. */
async function giveUp(connectorId: ConnectorId, fileId: ConnectorFile["id"]): Promise<void> {
  try {
    await call(deleteConnectorFile, { params: { connectorId, fileId } });
  } catch (error) {
    if (!isLost(error)) throw error;
  } finally {
    void refresh(listConnectorFiles);
  }
}
