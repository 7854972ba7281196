/** Gives everything below it the theme, the colour scheme and the nonce that a strict content policy asks of styles. */
import { MantineProvider, localStorageColorSchemeManager } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { applyCustomValidity } from "./field/own-validity.ts";
import { cssVariablesResolver, theme } from "./theme.ts";
import { useUiWords } from "./ui-words.ts";

const schemes = localStorageColorSchemeManager({ key: "accord-color-scheme" });

export interface UiProviderProps {
  children: ReactNode;
  /** The page's content-policy nonce; style elements made in the browser carry it. */
  nonce?: string;
}

export function UiProvider({ children, nonce = "" }: UiProviderProps) {
  const { validity } = useUiWords();
  useEffect(() => applyCustomValidity(validity), [validity]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}
