/** Headers of an answer as templates name them: in any case, and the relations of a `Link` header by name. */
import type { Item } from "../../template/values.ts";

export type HeaderFacts = ReadonlyMap<string, Item>;

class CaselessMap extends Map<string, Item> {
  override get(name: string): Item {
    return super.get(name.toLowerCase());
  }
  override has(name: string): boolean {
    return super.has(name.toLowerCase());
  }
}

/** `link` is not the header's text: `headers.link.next.url` is the address of the next page. */
export function headerFacts(headers: Readonly<Record<string, string>>): HeaderFacts {
  const facts = new CaselessMap();
  for (const [name, value] of Object.entries(headers)) facts.set(name.toLowerCase(), value);
  facts.set("link", linksIn(headers["link"] ?? ""));
  return facts;
}

function linksIn(header: string): ReadonlyMap<string, Item> {
  const links = new Map<string, Item>();
  for (const [, url = "", rest = ""] of header.slice(0, 20_000).matchAll(/<([^>]*)>\s*;([^<]*)/g)) {
    const relation = /rel\s*=\s*"?([^";,]+)"?/i.exec(rest)?.[1]?.trim();
    if (relation)
      links.set(
        relation,
        new Map<string, Item>([
          ["url", url],
          ["rel", relation],
        ]),
      );
  }
  return links;
}
