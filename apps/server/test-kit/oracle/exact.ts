/** Whole numbers and decimals of the oracle, exact: `units` × 10^-`scale`, without zeros at the end. */
export interface Exact {
  units: bigint;
  scale: number;
}

/** Reads `12`, `-0.50`. Throws for anything else. */
export function exactOf(text: string): Exact {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) throw new Error(`not a plain number: ${text}`);
  const [, sign = "", whole = "", fraction = ""] = found;
  const units = BigInt(whole + fraction);
  return shortest({ units: sign === "-" ? -units : units, scale: fraction.length });
}

function shortest({ units, scale }: Exact): Exact {
  let [left, places] = [units, scale];
  while (places > 0 && left % 10n === 0n) [left, places] = [left / 10n, places - 1];
  return { units: left, scale: places };
}

const atScale = ({ units, scale }: Exact, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

export function add(one: Exact, other: Exact): Exact {
  const scale = Math.max(one.scale, other.scale);
  return shortest({ units: atScale(one, scale) + atScale(other, scale), scale });
}

export const multiply = (one: Exact, other: Exact): Exact =>
  shortest({ units: one.units * other.units, scale: one.scale + other.scale });

export const negate = ({ units, scale }: Exact): Exact => ({ units: -units, scale });

export function compareExact(one: Exact, other: Exact): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = atScale(one, scale) - atScale(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function textOfExact({ units, scale }: Exact): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

export const numberOf = (exact: Exact): number => Number(textOfExact(exact));

const QUOTIENT_PLACES = 40;

/** The quotient as the nearest number, from 40 places of it. */
export function quotient(one: Exact, other: Exact): number {
  const scale = Math.max(one.scale, other.scale);
  const units = (atScale(one, scale) * 10n ** BigInt(QUOTIENT_PLACES)) / atScale(other, scale);
  return numberOf({ units, scale: QUOTIENT_PLACES });
}
