/** What a form of an HTTP synapse can offer. */
import { HTTP_PAGING_KINDS, HttpPaging } from "@accord/contracts/connections/http-entity";
import { synapseDatatypes, synapsePaging } from "@accord/contracts/messages/en/synapses/synapse-options";

export const DATATYPES = Object.entries(synapseDatatypes).map(([id, label]) => ({ id, label }));

/** What has no usual value is for the person to fill in. */
const WITHOUT_DEFAULT: Readonly<Record<string, object>> = {
  cursor: { cursorSelector: "next" },
  nextLink: { linkSelector: "next" },
};

/** Each with the settings that it has at first. */
export const PAGINATION_OPTIONS = HTTP_PAGING_KINDS.map((kind) => {
  const { kind: _, ...settings } = HttpPaging.parse({ kind, ...WITHOUT_DEFAULT[kind] });
  return { kind, label: synapsePaging[kind], settings };
});
