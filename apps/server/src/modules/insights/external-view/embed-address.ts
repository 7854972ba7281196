/** Addresses of the external product's pages: always below the address that was configured for it. */
import {
  EXTERNAL_VIEWS,
  type ExternalViewDefinition,
  type ExternalViewKind,
} from "@accord/contracts/insights/external-view";

export interface ExternalPage {
  view: ExternalViewKind;
  /** Id of what is opened; of `path` the path itself. */
  key: string;
}

type Places = Pick<ExternalViewDefinition, "address" | "paths">;

/** Null: there is no such page below the address. */
export function pageAddress({ address, paths }: Places, { view, key }: ExternalPage): URL | null {
  if (view === "path") return below(address, key.split("/"));
  // One segment, whatever it holds; a product that reads it as several must not be led upwards.
  if (key === "" || key.split(/[/\\]/).some(isUpward)) return null;
  return below(address, paths[view].replaceAll("{id}", () => "\0").split("/"), key);
}

/** With the token in it. */
export function withToken(page: URL, { tokenIn, tokenName }: ExternalViewDefinition, token: string): string {
  if (tokenIn === "query") return withParameter(page, tokenName, token).href;
  const address = new URL(page);
  address.hash = `${tokenName}=${token}`;
  return address.href;
}

/** In place of one of the same name; the rest of the query stays as it is written. `value` needs no encoding. */
export function withParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url);
  const parts = url.search === "" ? [] : url.search.slice(1).split("&");
  const kept = parts.filter((part) => !new URLSearchParams(`?${part}`).has(name));
  changed.search = [...kept, `${name}=${value}`].join("&");
  return changed;
}

/** Which pages with an address of their own a page is, as the product reads its path: not by case, and decoded. */
export function kindsOfPage({ address, paths }: Places, page: URL): Exclude<ExternalViewKind, "path">[] {
  const path = segmentsOf(page.pathname).map(decoded);
  const above = segmentsOf(new URL(address).pathname).map(decoded);
  return EXTERNAL_VIEWS.filter((kind) => kind !== "path").filter((kind) => {
    const templates = segmentsOf(paths[kind]);
    if (path.length !== above.length + templates.length) return false;
    return templates.every((template, at) => isFilled(path[above.length + at] ?? "", template));
  });
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether `text` is the template with something for each `{id}`. In one pass: a pattern could take very long. */
function isFilled(text: string, template: string): boolean {
  const [first = "", ...others] = template.toLowerCase().split("{id}");
  const last = others.pop();
  const given = text.toLowerCase();
  if (last === undefined) return given === first;
  const end = given.length - last.length;
  if (!given.startsWith(first) || !given.endsWith(last) || end < first.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = given.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Segments as they are read, not as they are written in an address; `\0` in one of them stands for `key`. */
export function below(address: string, segments: readonly string[], key = ""): URL | null {
  const filled = segments.map((segment) => segment.replaceAll("\0", () => key)).filter((segment) => segment !== "");
  if (filled.some(isUpward)) return null;
  const url = new URL(address);
  // Half of a pair of code units has no form in an address.
  const path = filled.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
  // To many servers a path with a slash at its end is another page.
  const end = segments.at(-1) === "" ? "/" : "";
  if (path !== "") url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}${end}`;
  return url;
}

/** Addresses read these as the same folder and the one above, which `encodeURIComponent` leaves as they are. */
const isUpward = (segment: string): boolean => segment === "." || segment === "..";
