/** The few words parts say by themselves. The app gives them in its language; parts take all other words as props. */
import { createContext, useContext } from "react";
import { ENGLISH_VALIDITY, type ValidityWords } from "./field/own-validity.ts";

export interface UiWords {
  copy: string;
  copied: string;
  notCopied: string;
  cancel: string;
  close: string;
  clear: string;
  clearFilters: string;
  retry: string;
  undo: string;
  save: string;
  edit: string;
  back: string;
  next: string;
  search: string;
  loading: string;
  columns: string;
  more: string;
  selectAll: string;
  selectRow: string;
  compactRows: string;
  /** `{{name}}` is replaced. */
  typeNameToConfirm: string;
  removeFilter: string;
  required: string;
  /** `{{text}}` is replaced: what was typed into a select and is the name of no option, or of several. */
  optionUnknown: string;
  optionAmbiguous: string;
  validity: ValidityWords;
}

export const ENGLISH: UiWords = {
  copy: "Copy",
  copied: "Copied",
  notCopied: "It could not be copied. Select the text and copy it by hand.",
  cancel: "Cancel",
  close: "Close",
  clear: "Clear",
  clearFilters: "Clear filters",
  retry: "Try again",
  undo: "Undo",
  save: "Save",
  edit: "Edit",
  back: "Back",
  next: "Next",
  search: "Search",
  loading: "Loading",
  columns: "Columns",
  more: "More actions",
  selectAll: "Select all rows",
  selectRow: "Select row",
  compactRows: "Compact rows",
  typeNameToConfirm: "Type {{name}} to confirm",
  removeFilter: "Remove filter {{name}}",
  required: "required",
  optionUnknown: "Nothing here is called “{{text}}”.",
  optionAmbiguous: "Several are called “{{text}}”: choose one from the list.",
  validity: ENGLISH_VALIDITY,
};

const UiWordsContext = createContext<UiWords>(ENGLISH);
export const UiWordsProvider = UiWordsContext.Provider;
export const useUiWords = (): UiWords => useContext(UiWordsContext);
