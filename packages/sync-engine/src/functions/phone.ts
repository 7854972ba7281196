/** Phone numbers: country calling codes (ITU E.164) and the digit that is dialled before national numbers. */

const TABLE =
  "US1 CA1 PR1 DO1 JM1 BS1 BB1 TT1 RU7 KZ7 EG20 ZA27 GR30 NL31 BE32 FR33 ES34 HU36 IT39 VA39 RO40 CH41 AT43 GB44 IM44 JE44 GG44 DK45 SE46 NO47 PL48 DE49 " +
  "PE51 MX52 CU53 AR54 BR55 CL56 CO57 VE58 MY60 AU61 ID62 PH63 NZ64 SG65 TH66 JP81 KR82 VN84 CN86 TR90 IN91 PK92 AF93 LK94 MM95 IR98 " +
  "SS211 MA212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 BJ229 MU230 LR231 SL232 GH233 NG234 TD235 CF236 CM237 CV238 ST239 " +
  "GQ240 GA241 CG242 CD243 AO244 GW245 SC248 SD249 RW250 ET251 SO252 DJ253 KE254 TZ255 UG256 BI257 MZ258 ZM260 MG261 RE262 ZW263 NA264 MW265 LS266 BW267 SZ268 KM269 " +
  "AW297 FO298 GL299 GI350 PT351 LU352 IE353 IS354 AL355 MT356 CY357 FI358 BG359 LT370 LV371 EE372 MD373 AM374 BY375 AD376 MC377 SM378 UA380 RS381 ME382 XK383 HR385 SI386 BA387 MK389 " +
  "CZ420 SK421 LI423 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 HT509 GP590 BO591 GY592 EC593 GF594 PY595 MQ596 SR597 UY598 CW599 TL670 BN673 NR674 PG675 TO676 SB677 VU678 FJ679 " +
  "PW680 WF681 CK682 WS685 KI686 NC687 TV688 PF689 FM691 MH692 KP850 HK852 MO853 KH855 LA856 BD880 TW886 MV960 LB961 JO962 SY963 IQ964 KW965 SA966 YE967 OM968 PS970 AE971 IL972 BH973 QA974 BT975 MN976 NP977 TJ992 TM993 AZ994 GE995 KG996 UZ998";

/** Calling code by country (ISO 3166-1, two letters). */
export const CALLING_CODES: ReadonlyMap<string, string> = new Map(
  TABLE.split(" ").map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);
const CODES: ReadonlySet<string> = new Set(CALLING_CODES.values());

/** Where national numbers are dialled as they are, and where another digit than 0 comes first. */
const NO_TRUNK: ReadonlySet<string> = new Set(
  "34 39 45 47 48 30 351 352 354 356 357 370 371 372 377 378 420 852 853 65 506 507 502 503 504 505 974 973 968 965 216".split(
    " ",
  ),
);
const TRUNK: Readonly<Record<string, string>> = { "1": "1", "7": "8", "36": "06" };

export interface Phone {
  code: string;
  /** Digits behind the country code, without the digit dialled before them at home. */
  national: string;
}

const trunkOf = (code: string): string => (NO_TRUNK.has(code) ? "" : (TRUNK[code] ?? "0"));

/** No number is written longer, with its extension. */
const LONGEST = 60;

/** null when the text is no phone number: letters in it, or fewer or more digits than numbers have. */
export function readPhone(text: string, country: string): Phone | null {
  if (text.length > LONGEST) return null;
  const [main = ""] = text.trim().split(/\s*(?:ext\.?|extension|x|#|;ext=)\s*\d+\s*$/i);
  if (!/^(?:tel:)?[+(]?[\d\s().\-/]*\d$/.test(main)) return null;
  // “+44 (0)20”: the digit in brackets is dialled at home alone.
  const digits = main.replace(/(\+\d+\s*)\(0\)/, "$1").replaceAll(/[^\d+]/g, "");
  const international = digits.startsWith("+") ? digits.slice(1) : digits.startsWith("00") ? digits.slice(2) : null;
  const code = international === null ? CALLING_CODES.get(country) : codeOf(international);
  if (code === undefined) return null;
  const rest = international === null ? withoutTrunk(digits, code) : international.slice(code.length);
  const fits = code === "1" ? rest.length === 10 : rest.length >= 4 && rest.length + code.length <= 15;
  return fits ? { code, national: rest } : null;
}

const codeOf = (digits: string): string | undefined =>
  [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => CODES.has(code));

function withoutTrunk(digits: string, code: string): string {
  const trunk = trunkOf(code);
  const isTrunk = trunk !== "" && digits.startsWith(trunk) && (code !== "1" || digits.length === 11);
  return isTrunk ? digits.slice(trunk.length) : digits;
}

export function writePhone({ code, national }: Phone, format: "e164" | "international" | "national"): string {
  if (format === "e164") return `+${code}${national}`;
  const grouped = code === "1" ? `(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}` : national;
  if (format === "national") return code === "1" ? grouped : trunkOf(code) + national;
  return code === "1"
    ? `+1 ${national.slice(0, 3)}-${national.slice(3, 6)}-${national.slice(6)}`
    : `+${code} ${national}`;
}
