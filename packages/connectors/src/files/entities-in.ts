/** The entities that an uploaded file is: one, or one for each visible sheet. */
import type { UploadedFile } from "@accord/connector-sdk";
import { formatOf } from "./formats/index.ts";
import { uploadedFile } from "./places/uploaded.ts";
import { entityName } from "./tables.ts";

export interface EntityInFile {
  entity: string;
  /** null where the file itself is the table. */
  sheet: string | null;
}

/** @throws ConnectorError for a workbook that can't be opened. */
export async function entitiesIn(uploaded: UploadedFile): Promise<EntityInFile[]> {
  const format = formatOf(uploaded.name);
  if (!format) return [];
  const parts = format.parts ? await format.parts(uploadedFile(uploaded)) : [null];
  return parts.map((sheet) => ({ entity: entityName(uploaded.name, sheet), sheet }));
}
