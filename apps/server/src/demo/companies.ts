/** Made-up companies that look real, as two systems would know them: mostly the same, each with its own mistakes. */
import { makeDice, type Dice } from "./random.ts";

/** A company as it really is. */
export interface TrueCompany {
  number: number;
  name: string;
  domain: string;
  vatNumber: string;
  phone: string;
  email: string;
  street: string;
  postalCode: string;
  city: string;
  country: string;
  industry: string;
  employees: number;
  revenue: number;
  /** Days before the demo was made. */
  customerForDays: number;
}

interface Country {
  code: string;
  dial: string;
  legal: readonly string[];
  cities: readonly (readonly [city: string, postal: string])[];
  streets: readonly string[];
  weight: number;
}

const COUNTRIES: readonly Country[] = [
  {
    code: "DE",
    dial: "+49",
    legal: ["GmbH", "AG", "GmbH & Co. KG", "SE"],
    cities: [
      ["Berlin", "10"],
      ["Hamburg", "20"],
      ["Munich", "80"],
      ["Cologne", "50"],
      ["Leipzig", "04"],
      ["Bremen", "28"],
      ["Stuttgart", "70"],
    ],
    streets: ["Hafenstrasse", "Lindenallee", "Bahnhofstrasse", "Am Markt", "Goethestrasse", "Industrieweg"],
    weight: 5,
  },
  {
    code: "US",
    dial: "+1",
    legal: ["Inc.", "LLC", "Corp.", "Co."],
    cities: [
      ["Portland", "97"],
      ["Austin", "78"],
      ["Denver", "80"],
      ["Chicago", "60"],
      ["Boston", "02"],
      ["Seattle", "98"],
      ["Atlanta", "30"],
    ],
    streets: ["Main Street", "Oak Avenue", "Lake Drive", "Mill Road", "Commerce Way", "Harbor Boulevard"],
    weight: 6,
  },
  {
    code: "GB",
    dial: "+44",
    legal: ["Ltd", "PLC", "LLP"],
    cities: [
      ["London", "EC"],
      ["Manchester", "M"],
      ["Bristol", "BS"],
      ["Leeds", "LS"],
      ["Glasgow", "G"],
    ],
    streets: ["High Street", "Station Road", "Church Lane", "Victoria Road", "Mill Lane"],
    weight: 4,
  },
  {
    code: "FR",
    dial: "+33",
    legal: ["SAS", "SARL", "SA"],
    cities: [
      ["Paris", "75"],
      ["Lyon", "69"],
      ["Nantes", "44"],
      ["Lille", "59"],
      ["Bordeaux", "33"],
    ],
    streets: ["Rue de la Gare", "Avenue Victor Hugo", "Rue du Port", "Boulevard Voltaire"],
    weight: 3,
  },
  {
    code: "NL",
    dial: "+31",
    legal: ["B.V.", "N.V."],
    cities: [
      ["Amsterdam", "10"],
      ["Rotterdam", "30"],
      ["Utrecht", "35"],
      ["Eindhoven", "56"],
    ],
    streets: ["Havenweg", "Stationsplein", "Keizersgracht", "Molenstraat"],
    weight: 2,
  },
  {
    code: "SE",
    dial: "+46",
    legal: ["AB"],
    cities: [
      ["Stockholm", "11"],
      ["Gothenburg", "41"],
      ["Malmö", "21"],
    ],
    streets: ["Storgatan", "Hamngatan", "Kungsgatan"],
    weight: 1,
  },
];
const WEIGHTED: readonly Country[] = COUNTRIES.flatMap((country) =>
  Array.from({ length: country.weight }, () => country),
);

const FIRST =
  "Alder Amber Apex Arbor Aspen Atlas Aurora Banner Beacon Birch Blue Bridge Bright Brook Canyon Cardinal Cedar Cinder Clear Cobalt Compass Copper Coral Crest Crown Delta Drift Eagle East Echo Elm Ember Evergreen Falcon Fern First Flint Forge Frost Garnet Glacier Golden Granite Green Grove Harbor Hawk Hazel Heron Highland Horizon Indigo Iron Ivory Jade Juniper Keystone Lagoon Lark Laurel Ledger Lighthouse Linden Lotus Lunar Maple Marble Meadow Meridian Mill Mint Mistral Moss Nimbus Noble North Nova Oak Obsidian Ocean Olive Onyx Opal Orchard Orion Osprey Otter Pacific Pearl Pebble Pine Pioneer Polar Prairie Prime Quarry Quartz Raven Red Reed Ridge River Robin Rowan Ruby Saffron Sage Salt Sapphire Sierra Silver Slate Solar Sparrow Spring Spruce Stellar Sterling Stone Summit Swift Sycamore Teal Thistle Thorn Tidal Timber Topaz Trail Tundra Union Upland Vale Vector Velvet Verdant Vertex Violet Vista Walnut West White Willow Winter Wren Zenith Zephyr".split(
    " ",
  );
const SECOND =
  "bay bridge brook castle cliff cross dale field fold ford gate glen ground haven hill house lake land line mark mere mont moor point port range reach rock shore side stead stone stream town tree vale view ville ward water way well wick wind wood works worth yard".split(
    " ",
  );
const SURNAMES =
  "Abbott Adler Albrecht Andersson Bakker Bauer Becker Bennett Bergström Bernard Blake Brandt Carter Chen Clarke Cooper Dahl Dubois Dupont Ellis Engel Fischer Fontaine Foster Garcia Gibson Graham Haas Hansen Hayes Hoffmann Holm Hughes Ivanov Jansen Jensen Keller Kim Klein Koch Lambert Larsen Laurent Lewis Lindqvist Lopez Marchand Martin Mayer Meyer Moreau Morgan Murphy Nakamura Nguyen Nilsson Novak Olsen Parker Patel Petit Porter Quinn Reed Richter Rossi Roux Russell Sanders Schmidt Schneider Shaw Silva Simon Singh Sokolov Stein Sullivan Tanaka Taylor Turner Vermeer Vogel Wagner Walsh Weber Winter Wolf Wright Young Ziegler".split(
    " ",
  );
const TRADES: readonly (readonly [trade: string, industry: string])[] = [
  ["Logistics", "Transport"],
  ["Freight", "Transport"],
  ["Shipping", "Transport"],
  ["Foods", "Food"],
  ["Bakery", "Food"],
  ["Coffee", "Food"],
  ["Brewing", "Food"],
  ["Software", "Technology"],
  ["Systems", "Technology"],
  ["Analytics", "Technology"],
  ["Robotics", "Technology"],
  ["Networks", "Technology"],
  ["Energy", "Energy"],
  ["Solar", "Energy"],
  ["Power", "Energy"],
  ["Health", "Health"],
  ["Medical", "Health"],
  ["Pharma", "Health"],
  ["Dental", "Health"],
  ["Construction", "Construction"],
  ["Timber", "Construction"],
  ["Roofing", "Construction"],
  ["Interiors", "Construction"],
  ["Tools", "Manufacturing"],
  ["Precision", "Manufacturing"],
  ["Plastics", "Manufacturing"],
  ["Textiles", "Manufacturing"],
  ["Instruments", "Manufacturing"],
  ["Capital", "Finance"],
  ["Insurance", "Finance"],
  ["Partners", "Professional services"],
  ["Consulting", "Professional services"],
  ["Legal", "Professional services"],
  ["Media", "Media"],
  ["Studios", "Media"],
  ["Print", "Media"],
  ["Books", "Retail"],
  ["Outfitters", "Retail"],
  ["Home", "Retail"],
  ["Gardens", "Retail"],
  ["Hotels", "Hospitality"],
  ["Travel", "Hospitality"],
];

/** The same companies for the same seed; names and domains are unique. */
export function makeCompanies(count: number, seed: number): TrueCompany[] {
  const dice = makeDice(seed);
  const domains = new Set<string>();
  return Array.from({ length: count }, (_, at) => {
    const country = dice.pick(WEIGHTED);
    const [trade, industry] = dice.pick(TRADES);
    let stem = stemOf(dice, trade);
    while (domains.has(domainOf(stem, country)))
      stem = `${stemOf(dice, trade)} ${dice.pick(["Group", "International", dice.pick(country.cities)[0]])}`;
    const domain = domainOf(stem, country);
    domains.add(domain);
    const [city, postal] = dice.pick(country.cities);
    const employees = Math.max(1, Math.round(dice.logNormal(38, 1.35)));
    return {
      number: at + 1,
      name: `${stem} ${dice.pick(country.legal)}`,
      domain,
      vatNumber: `${country.code}${dice.whole(100_000_000, 999_999_999)}`,
      phone: `${country.dial} ${dice.whole(20, 99)} ${dice.whole(1_000_000, 9_999_999)}`,
      email: `${dice.pick(["office", "info", "hello", "accounts", "contact"])}@${domain}`,
      street:
        country.code === "DE" || country.code === "NL" || country.code === "SE"
          ? `${dice.pick(country.streets)} ${dice.whole(1, 180)}`
          : `${dice.whole(1, 980)} ${dice.pick(country.streets)}`,
      postalCode: `${postal}${country.code === "GB" ? `${dice.whole(1, 20)} ${dice.whole(1, 9)}AB` : dice.whole(100, 999)}`,
      city,
      country: country.code,
      industry,
      employees,
      revenue: Math.round(employees * dice.logNormal(145_000, 0.55)),
      customerForDays: dice.whole(20, 3200),
    };
  });
}

function stemOf(dice: Dice, trade: string): string {
  const kind = dice.next();
  if (kind < 0.45) return `${dice.pick(FIRST)}${dice.pick(SECOND)} ${trade}`;
  if (kind < 0.75) return `${dice.pick(SURNAMES)} ${trade}`;
  if (kind < 0.9) return `${dice.pick(SURNAMES)} & ${dice.pick(SURNAMES)} ${trade}`;
  return `${dice.pick(FIRST)} ${dice.pick(FIRST)} ${trade}`;
}

const domainOf = (stem: string, country: Country): string =>
  `${stem
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}.${country.code === "US" ? "example" : `${country.code.toLowerCase()}.example`}`;

/** A company as one of the systems wrote it down. */
export type KnownCompany = Omit<TrueCompany, "domain" | "vatNumber" | "phone" | "email"> & {
  domain: string | null;
  vatNumber: string | null;
  phone: string | null;
  email: string | null;
};

/** How many companies exist, and which part of them each system knows: most are in both. */
export const COMPANY_COUNT = 22_600;
const SEED = 20_240_917;

export interface TwoViews {
  billing: KnownCompany[];
  crm: KnownCompany[];
}

/**
 * Billing knows 20,800 companies and the CRM 18,000, some 16,200 of them both. Where both know one, the CRM spells names
 * differently, lacks domains, and has other phone numbers now and then; Billing has its own gaps.
 */
export function makeTwoViews(): TwoViews {
  const companies = makeCompanies(COMPANY_COUNT, SEED);
  const dice = makeDice(SEED + 1);
  const billing: KnownCompany[] = [];
  const crm: KnownCompany[] = [];
  for (const company of companies) {
    const place = dice.next();
    if (place < 0.92) billing.push(inBilling(company, dice));
    if (place < 0.717 || place >= 0.92) crm.push(inCrm(company, dice, place < 0.717));
  }
  return { billing, crm };
}

function inBilling(company: TrueCompany, dice: Dice): KnownCompany {
  return {
    ...company,
    domain: dice.chance(0.05) ? null : company.domain,
    vatNumber: dice.chance(0.06) ? null : company.vatNumber,
    email: dice.chance(0.08) ? null : company.email,
    phone: dice.chance(0.1) ? null : company.phone,
  };
}

function inCrm(company: TrueCompany, dice: Dice, inBoth: boolean): KnownCompany {
  if (!inBoth) return { ...company };
  const known: KnownCompany = { ...company };
  if (dice.chance(0.18)) known.name = otherSpelling(company.name, dice);
  if (dice.chance(0.09)) known.domain = null;
  if (dice.chance(0.07)) known.vatNumber = null;
  if (dice.chance(0.11)) known.phone = otherPhone(company.phone, dice);
  else if (dice.chance(0.06)) known.phone = null;
  if (dice.chance(0.04)) known.street = `${dice.whole(1, 200)} ${company.street.replace(/^\d+ | \d+$/g, "")}`;
  if (dice.chance(0.1)) known.email = null;
  return known;
}

function otherSpelling(name: string, dice: Dice): string {
  const spellings = [
    name.replace(/ (GmbH & Co\. KG|GmbH|AG|SE|Inc\.|LLC|Corp\.|Co\.|Ltd|PLC|LLP|SAS|SARL|SA|B\.V\.|N\.V\.|AB)$/, ""),
    name.toUpperCase(),
    name.replace(" & ", " and ").replace("Inc.", "Incorporated").replace("Ltd", "Limited"),
    name.replace("Logistics", "Logistic").replace("Systems", "System").replace("Foods", "Food"),
    `${name} `.replace("B.V. ", "BV").replace("N.V. ", "NV").replace("Corp. ", "Corporation").trim(),
  ].filter((spelling) => spelling !== name);
  return spellings.length === 0 ? name : dice.pick(spellings);
}

const otherPhone = (phone: string, dice: Dice): string =>
  dice.chance(0.5) ? `${phone.slice(0, -4)}${dice.whole(1000, 9999)}` : phone.replace(/(\d)(\d)$/, "$2$1");
