/** Lists that come with the product: the same for everybody, kept here and not in any database. */
import { id, type Id } from "@accord/contracts";

export interface StandardList {
  id: Id<"referenceList">;
  name: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** ISO 3166-1 alpha-2. */
const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA " +
  "CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA " +
  "GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
  "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS " +
  "MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS " +
  "RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW " +
  "TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/** ISO 4217, those in circulation. */
const CURRENCIES =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY " +
  "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS " +
  "INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP " +
  "MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR " +
  "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV " +
  "WST XAF XCD XOF XPF YER ZAR ZMW";

const US_STATES =
  "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|" +
  "DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|" +
  "KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|" +
  "MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|" +
  "ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|" +
  "TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming";

const FREE_MAIL_DOMAINS =
  "126.com 163.com alice.it aol.com aol.co.uk arcor.de att.net bellsouth.net bigpond.com bluewin.ch bol.com.br " +
  "btinternet.com charter.net comcast.net cox.net daum.net earthlink.net email.com email.cz email.it fastmail.com " +
  "free.fr freenet.de frontier.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com " +
  "hotmail.be hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com " +
  "ig.com.br inbox.com inbox.lv inbox.ru interia.pl juno.com kpnmail.nl laposte.net libero.it list.ru live.co.uk " +
  "live.com live.de live.fr live.nl mac.com mail.com mail.de mail.ru mailbox.org mailfence.com me.com msn.com " +
  "mweb.co.za naver.com neuf.fr ntlworld.com numericable.fr o2.pl onet.pl online.de optonline.net optusnet.com.au " +
  "orange.fr outlook.at outlook.com outlook.de outlook.es outlook.fr outlook.it pm.me posteo.de proton.me " +
  "protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com rogers.com runbox.com sapo.pt " +
  "sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com skynet.be sohu.com startmail.com sympatico.ca t-online.de " +
  "talktalk.net telenet.be telus.net terra.com.br tin.it tiscali.it tuta.com tuta.io tutanota.com ukr.net uol.com.br " +
  "verizon.net videotron.ca virgilio.it virgin.net virginmedia.com vodafone.de volny.cz wanadoo.fr web.de windstream.net " +
  "wp.pl xtra.co.nz yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br " +
  "yahoo.com.mx yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru yeah.net ymail.com ziggo.nl zoho.com";

/** `[code, English name]` of each code. */
function withNames(codes: string, type: "region" | "currency"): string[][] {
  const names = new Intl.DisplayNames(["en"], { type });
  return codes.split(" ").map((code) => [code, names.of(code) ?? code]);
}

const LISTS: readonly Omit<StandardList, "id">[] = [
  { name: "Countries", columns: ["code", "name"], rows: withNames(COUNTRIES, "region") },
  { name: "Currencies", columns: ["code", "name"], rows: withNames(CURRENCIES, "currency") },
  {
    name: "US states",
    columns: ["code", "name"],
    rows: US_STATES.split("|").map((state) => [state.slice(0, 2), state.slice(3)]),
  },
  { name: "Free e-mail domains", columns: ["domain"], rows: FREE_MAIL_DOMAINS.split(" ").map((domain) => [domain]) },
];

/** By id. Ids stay as they are for ever: pipelines name them. */
export const STANDARD_LISTS: ReadonlyMap<string, StandardList> = new Map(
  LISTS.map((list, at) => {
    // An id nobody else can have: made ones begin with the time of their making.
    const listId = id("referenceList").parse((at + 1).toString(16).padStart(24, "0"));
    return [listId, { ...list, id: listId }];
  }),
);
