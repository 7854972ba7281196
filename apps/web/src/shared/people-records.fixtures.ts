/** An entity with two records that the server searches, as tests of choosing a record need them. */
import { CoreEntity } from "@accord/contracts/data/entities";

const NOW = "2026-11-01T10:00:00.000Z";
const ADA = "a".repeat(24);
export const BOS_ID = "b".repeat(24);

export const PEOPLE = CoreEntity.parse({
  id: "e".repeat(24),
  apiName: "person",
  displayName: "Person",
  pluralName: "People",
  nameField: "name",
  version: 1,
  state: "APPROVED",
  hasDraft: false,
  revision: 1,
  fields: [{ id: "f".repeat(24), apiName: "name", displayName: "Name" }],
  createdAt: NOW,
  updatedAt: NOW,
});

const NAMES = new Map([
  [ADA, "Ada"],
  [BOS_ID, "Bo"],
]);

export interface PeopleServer {
  fetch: typeof globalThis.fetch;
  /** Lets the answers to searches for a text come; that to an empty search comes at once. */
  answer: () => void;
}

/** Answers lists of records alone; all else goes to the network. */
export function peopleServer(network: typeof globalThis.fetch): PeopleServer {
  let answer = () => {};
  const answers = new Promise<void>((resolve) => (answer = resolve));
  const fetch: typeof globalThis.fetch = async (path, init) => {
    const { pathname, searchParams } = new URL(path instanceof Request ? path.url : String(path), location.href);
    if (!pathname.endsWith("/records")) return network(path, init);
    const search = searchParams.get("search") ?? "";
    if (search !== "") await answers;
    const records = [...NAMES]
      .filter(([, name]) => name.toLowerCase().includes(search.toLowerCase()))
      .map(([accordId, name]) => ({
        ...{ accordId, values: { name }, deleted: false, version: 1, createdAt: NOW, updatedAt: NOW },
      }));
    const metadata = { fields: PEOPLE.fields, selectedColumns: ["name"], references: {} };
    return new Response(JSON.stringify({ records, pageInfo: { nextCursor: null, previousCursor: null }, metadata }));
  };
  return { fetch, answer };
}
