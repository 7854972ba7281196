/** Made-up companies that look real, as two systems would know them: mostly the same, each with its own mistakes. */
import { FIRST, SECOND, SURNAMES, TRADES, WEIGHTED, type Country } from "./company-words.ts";
import { createDice, type Dice } from "./random.ts";

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

/** The newest customer is this old. */
export const NEWEST_CUSTOMER_DAYS = 20;

/** The same companies for the same seed; names and domains are unique. */
export function makeCompanies(count: number, seed: number): TrueCompany[] {
  const dice = createDice(seed);
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
      customerForDays: dice.whole(NEWEST_CUSTOMER_DAYS, 3200),
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
  const dice = createDice(SEED + 1);
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
