/** What an input for text with tokens is given. */
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import type { TokenGroup } from "./token-text.model.ts";

export interface TokenInputProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  /** The visible label; absent where the input stands in a row of a list. */
  shownLabel?: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  multiline?: boolean;
  /** In the font of code. */
  isCode?: boolean;
  inputMode?: "text" | "numeric" | "decimal" | "url" | "email" | "tel";
  /** Tokens to offer; the input takes none when absent. */
  tokens?: readonly TokenGroup[] | undefined;
  onBlur?: () => void;
  /** For whoever changes the text from outside, at the caret. */
  inputRef?: RefObject<HTMLTextAreaElement | null>;
  /** Lines that are shown of an empty text. */
  minRows?: number;
  /** Label and problem are shown, the text is not: something else stands in its place. */
  isHidden?: boolean;
  /** Keys that do something of their own to the text; answers whether this one did. */
  onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  /** Something else shows what the text gives. */
  hidePreview?: boolean;
}
