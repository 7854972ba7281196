/** Settings of the external view as they are typed. */
import {
  ExternalViewDefinition,
  type ExternalViewSettings,
  type ExternalViewSettingsInput,
} from "@accord/contracts/insights/external-view";

export interface Draft extends Omit<ExternalViewDefinition, "tokenSeconds"> {
  tokenSeconds: number | string;
  /** Empty: the stored one stays. */
  secret: string;
}

/** What an instance begins with. */
const INITIAL = ExternalViewDefinition.parse({ name: "-", address: "https://example.com" });

export const draftOf = ({ settings }: ExternalViewSettings): Draft => ({
  ...(settings ?? { ...INITIAL, name: "", address: "" }),
  secret: "",
});

export const inputOf = ({ secret, tokenSeconds, ...draft }: Draft, version: number): ExternalViewSettingsInput => ({
  ...draft,
  // What is no number is refused with the field's own words.
  tokenSeconds: tokenSeconds === "" ? Number.NaN : Number(tokenSeconds),
  ...(secret === "" ? {} : { secret }),
  version,
});
