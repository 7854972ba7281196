/** The administrator of a product that an end-to-end test or a bench starts, and a free port for it. */
import { createServer, type AddressInfo } from "node:net";

export const ADMIN = { email: "admin@accord.local", password: "three-blue-lanterns-9" } as const;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
