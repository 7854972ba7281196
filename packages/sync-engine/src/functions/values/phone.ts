/** Phone numbers: read and formatted by libphonenumber, whose numbering plans others keep up to date. */
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** No number is written longer, with its extension. */
const MAX_LENGTH = 60;

/** Whether this is the two-letter code (ISO 3166-1, capitals) of a country that has phone numbers. */
export const isPhoneCountry = isSupportedCountry;

/**
 * The number a text holds; `country` is where numbers without a country code belong. null when the text is no phone
 * number: letters in it, or fewer or more digits than numbers of its country have. Extensions are left out.
 */
export function readPhone(text: string, country: string): PhoneNumber | null {
  if (text.length > MAX_LENGTH || !isSupportedCountry(country)) return null;
  // “00” is dialled for “+” in most countries, and begins no national number anywhere.
  const dialled = text
    .trim()
    .replace(/^tel:/i, "")
    .replace(/^00(?=[1-9])/, "+");
  const number = parsePhoneNumberFromString(dialled, { defaultCountry: country, extract: false });
  if (!number?.isPossible()) return null;
  delete number.ext;
  return number;
}

const FORMATS = { e164: "E.164", international: "INTERNATIONAL", national: "NATIONAL" } as const;

export const writePhone = (number: PhoneNumber, format: keyof typeof FORMATS): string => number.format(FORMATS[format]);
