/** Hands the values that tokens have for the record that is tried to the inputs of a form. */
import { createContext, useContext } from "react";
import type { SampleOf } from "./token-text.model.ts";

export interface TokenSamples {
  sampleOf: SampleOf;
  /** Name of the record. */
  record: string;
}

const SamplesContext = createContext<TokenSamples | null>(null);

export const TokenSamplesProvider = SamplesContext.Provider;

/** Null where no record is tried. */
export const useTokenSamples = (): TokenSamples | null => useContext(SamplesContext);
