/** Files that people uploaded; the server keeps them in its database and lends them to the connector that they belong to. */
import { ConnectorError, type UploadedFile, type UploadedFiles } from "@accord/connector-sdk";
import type { Place, StoredFile } from "./place.ts";

export const uploadedPlace = (files: UploadedFiles | undefined): Place => ({
  label: async () => "the uploaded files",
  hintWhenEmpty: "Upload a CSV, JSON Lines or XLSX file on the synapse's page.",
  async list(isWanted) {
    const found = (await files?.list()) ?? [];
    return found.filter(({ name }) => isWanted(name)).map(uploadedFile);
  },
});

export function uploadedFile(file: UploadedFile): StoredFile {
  const { name, size, modified } = file;
  return {
    name,
    // Listed anew for each page: a newer version is another file.
    state: async () => ({ size, modified }),
    open: async () => ({
      async read(offset, length) {
        const bytes = await file.read(offset, Math.min(length, Math.max(0, size - offset)));
        if (bytes) return bytes;
        throw new ConnectorError("unreachable", `${name} was replaced or deleted while it was read.`, {
          hint: "It is read again by itself.",
        });
      },
      close: async () => {},
    }),
  };
}
