/** An HTTP server with as little around a database as can be. */
import { createServer } from "node:http";

/** Asked by SQL in the body; answers its rows as JSON. */
export async function serve(rowsOf: (statement: string) => Promise<unknown[]>) {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      response.end(JSON.stringify(await rowsOf(Buffer.concat(chunks).toString())));
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { port: address.port, close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())) };
}
