/** Addresses of an external product that this server can not be beside. */
import { expect, test } from "vitest";
import { addressProblem, type ServerAddresses } from "./product-addresses.ts";

const SERVER: ServerAddresses = {
  ...{ baseUrl: "https://accord.corp", host: "0.0.0.0", port: 3000 },
  ...{
    hosts: ["accord.internal", "reports.corp:8080"],
    outboundAllow: ["bi.internal", "stats.internal:8080", "10.1.0.0/16"],
  },
};
const LOCAL = { ...SERVER, baseUrl: "http://localhost:3000", host: "127.0.0.1", hosts: [] };
const problem = (address: string, listAddress = "", server = SERVER) =>
  addressProblem(server, { address, listAddress })?.path ?? null;

test.each([
  "https://accord.corp/bi",
  "https://accord.corp:8443/bi",
  "https://ACCORD.corp:1/",
  "http://accord.corp:8080/",
  "https://accord.internal:9000/bi",
  "https://reports.corp/bi",
  "https://reports.corp:8443/bi",
])("%s is a host of this server, whose cookies go to each of its ports", (address) => {
  expect(problem(address)).toBe("address");
});

test("other hosts are none, by whatever name ours begins or ends", () => {
  for (const host of ["bi.accord.corp", "corp", "accord.corp.example", "xaccord.corp"])
    expect(problem(`https://${host}/bi`)).toBeNull();
});

test("on the server's own machine another name is another host, and the same one is not", () => {
  expect(problem("http://localhost:4000/", "", LOCAL)).toBe("address");
  expect(problem("http://127.0.0.1:3000/", "", LOCAL)).toBe("address");
  expect(problem("http://127.0.0.1:4000/", "", LOCAL)).toBeNull();
});

test("tokens go nowhere in clear text while this server is behind https", () => {
  expect(problem("http://bi.example/")).toBe("address");
  const list = (address: string, server = SERVER) => problem("https://bi.example/", address, server);
  for (const address of ["http://bi.example/api", "http://stats.internal/api", "http://10.2.0.1/api"])
    expect([address, list(address)]).toEqual([address, "listAddress"]);
  for (const address of ["https://bi.example/api", "http://localhost:9/api", "http://127.0.0.1:9/api"])
    expect([address, list(address)]).toEqual([address, null]);
  for (const address of ["http://bi.internal/api", "http://stats.internal:8080/api", "http://10.1.0.1/api"])
    expect([address, list(address)]).toEqual([address, null]);
  expect(list("http://bi.example/api", LOCAL)).toBeNull();
});
