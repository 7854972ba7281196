/** Addresses of the external product's pages: always below the address that was configured for it. */
import type { ExternalViewDefinition, ExternalViewKind } from "@accord/contracts/insights/external-view";

export interface ExternalPage {
  view: ExternalViewKind;
  /** Id of what is opened; of `path` the path itself. */
  key: string;
}

type Places = Pick<ExternalViewDefinition, "address" | "paths">;

/** Null: there is no such page below the address. */
export function pageAddress({ address, paths }: Places, { view, key }: ExternalPage): URL | null {
  if (view === "path") return below(address, key.split("/"));
  // One segment, whatever it holds.
  if (key === "" || isUpward(key)) return null;
  return below(address, paths[view].replaceAll("{id}", () => "\0").split("/"), key);
}

/** With the token in it. */
export function withToken(page: URL, { tokenIn, tokenName }: ExternalViewDefinition, token: string): string {
  const address = new URL(page);
  if (tokenIn === "query") address.searchParams.set(tokenName, token);
  else address.hash = `${tokenName}=${token}`;
  return address.href;
}

/** Segments as they are read, not as they are written in an address; `\0` in one of them stands for `key`. */
export function below(address: string, segments: readonly string[], key = ""): URL | null {
  const filled = segments.map((segment) => segment.replaceAll("\0", () => key)).filter((segment) => segment !== "");
  if (filled.some(isUpward)) return null;
  const url = new URL(address);
  // Half of a pair of code units has no form in an address.
  const path = filled.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
  if (path !== "") url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

/** Addresses read these as the same folder and the one above, which `encodeURIComponent` leaves as they are. */
const isUpward = (segment: string): boolean => segment === "." || segment === "..";
