/** What an external analytics product has to answer to be shown. The one that there is: `generic-provider.ts`. */
import type { Id } from "@accord/contracts";
import type { ExternalColumn, ExternalItem, ExternalViewKind } from "@accord/contracts/insights/external-view";
import type { ExternalPage } from "./embed-address.ts";

/** Who looks at the product. */
export interface ExternalViewer {
  userId: Id<"user">;
  name: string;
  email: string;
  /** Aborted when they leave. */
  signal: AbortSignal;
}

export interface ExternalToken {
  token: string;
  expiresAt: Date;
}

export interface ExternalItems {
  items: ExternalItem[];
  /** Whether there are more than could be taken over. */
  isCut: boolean;
}

export const EXTERNAL_LISTS = ["dashboards", "datasets", "datacards"] as const;
export type ExternalList = (typeof EXTERNAL_LISTS)[number];

/** Every call that fails throws AppError `access_error` with the product's reason in words. */
export interface ExternalViewProvider {
  /** The only origin that may be framed. */
  readonly origin: string;
  /** Whether the product answers lists. Without, the other calls but the first two must not be made. */
  readonly hasLists: boolean;
  /** For the person alone, and for a short time. */
  getToken(viewer: ExternalViewer): Promise<ExternalToken>;
  /** Which of the pages with an address of their own it is, however it is named. */
  kindsOf(page: ExternalPage): Exclude<ExternalViewKind, "path">[];
  /** Null where there is no such page. */
  embedAddress(page: ExternalPage, token: ExternalToken): string | null;
  list(list: ExternalList, viewer: ExternalViewer): Promise<ExternalItems>;
  getDataset(key: string, viewer: ExternalViewer): Promise<ExternalItem & ExternalColumns>;
  previewRows(key: string, viewer: ExternalViewer): Promise<ExternalColumns & { rows: (string | null)[][] }>;
}

export interface ExternalColumns {
  columns: ExternalColumn[];
  isCut: boolean;
}
