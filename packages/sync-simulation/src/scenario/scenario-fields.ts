/** Fields of the contacts that simulated systems hold. */
import type { Values } from "@accord/contracts/data/values";
import { LIST_FIELD } from "../systems/typed-values.ts";

/** Fields that people edit; `email` identifies a contact and never changes. */
export const EDITED_FIELDS = ["name", "phone", "note"] as const;
/** Names another contact: by its id in the system, by its record in the core. */
export const REFERENCE_FIELD = "boss";

/** What a lookup on the way to the core finds out about a contact. */
export const TAG_FIELD = "tag";

/** A contact without anything in it: systems tell what is empty. */
export const EMPTY_CONTACT: Values = Object.fromEntries(
  ["email", ...EDITED_FIELDS, REFERENCE_FIELD, TAG_FIELD, LIST_FIELD].map((field) => [field, null]),
);
