/** The field pipeline that is open in the editor; null while an entity pipeline is. */
import type { Id } from "@accord/contracts";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Graph } from "@accord/contracts/sync/graph";
import type { Version } from "../../addresses/graph-version.ts";
import { createContext, useContext } from "react";

export interface FieldScope {
  fieldId: Id<"field">;
  /** The core field. */
  field: FieldSchema;
  /** The entity pipeline that it is published with: it says which systems are read and written. */
  entityGraph: Graph;
  entityVersion: Version;
}

const FieldContext = createContext<FieldScope | null>(null);
export const FieldScopeProvider = FieldContext.Provider;

export const useFieldScope = (): FieldScope | null => useContext(FieldContext);
