/** The places that files are read from; another one is a file beside this one and a line in this list. */
import type { ConnectContext } from "@accord/connector-sdk";
import type { FilesConfig } from "../config.ts";
import { folderPlace } from "./folder.ts";
import type { Place } from "./place.ts";
import { uploadedPlace } from "./uploaded.ts";

const PLACES: Readonly<Record<FilesConfig["place"], (config: FilesConfig, context: ConnectContext) => Place>> = {
  folder: ({ folder }, context) => folderPlace(() => context.resolveFolder(folder)),
  uploaded: (_, context) => uploadedPlace(context.uploadedFiles),
};

export const placeOf = (config: FilesConfig, context: ConnectContext): Place => PLACES[config.place](config, context);
