/** What a person entered for fields of records and the server refused: kept per record and field until cleared. */
import type { Value } from "@accord/contracts/data/values";
import { create } from "zustand";

export interface EditDraft {
  entry: Value;
  /** The server's words; absent while the entry has not been sent. */
  error?: string;
}

type Drafts = Readonly<Record<string, Readonly<Record<string, EditDraft>>>>;

const NONE: Readonly<Record<string, EditDraft>> = {};

const useStore = create<{ drafts: Drafts }>(() => ({ drafts: {} }));

/** Open entries of one record by field api name. */
export const useEditDrafts = (recordId: string) => useStore(({ drafts }) => drafts[recordId] ?? NONE);

export function setDraft(recordId: string, field: string, draft: EditDraft): void {
  useStore.setState(({ drafts }) => ({ drafts: { ...drafts, [recordId]: { ...drafts[recordId], [field]: draft } } }));
}

export function clearDraft(recordId: string, field: string): void {
  useStore.setState(({ drafts }) => {
    const { [field]: _cleared, ...rest } = drafts[recordId] ?? {};
    return { drafts: { ...drafts, [recordId]: rest } };
  });
}
