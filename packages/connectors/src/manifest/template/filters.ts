/** Filters of templates: those of Jinja that manifests use, and those that the low-code documentation adds. */
import { createHash, createHmac } from "node:crypto";
import { TemplateError } from "./errors.ts";
import { compilePattern, searchPattern } from "./patterns.ts";
import { capitalized, joinedBy, memberOf, replaced, titled } from "./members.ts";
import {
  areEqual,
  compareItems,
  isDictionary,
  isList,
  isTrue,
  jsonValueOf,
  kindOf,
  limited,
  spendOn,
  textOf,
  type Item,
} from "./values.ts";

export type Named = ReadonlyMap<string, Item>;
type Filter = (item: Item, args: Item[], named: Named) => Item;

const listOf = (item: Item): readonly Item[] => {
  if (isList(item)) return item;
  if (typeof item === "string") return Array.from(item);
  if (isDictionary(item)) return [...item.keys()];
  throw new TemplateError(`A list is expected, not ${kindOf(item)}`);
};

const wholeNumber: Filter = (item, [missing], named) => {
  const instead = missing ?? named.get("default") ?? 0;
  if (typeof item === "number" || typeof item === "boolean") return Math.trunc(Number(item));
  const digits = typeof item === "string" ? item.trim().replaceAll("_", "") : "";
  return /^[+-]?\d+(\.\d*)?$/.test(digits) ? Math.trunc(Number(digits)) : instead;
};

const floating: Filter = (item, [missing], named) => {
  const number = typeof item === "string" && item.trim() !== "" ? Number(item) : Number(item ?? Number.NaN);
  return Number.isNaN(number) ? (missing ?? named.get("default") ?? 0) : number;
};

const fallback: Filter = (item, [missing, whenFalse], named) => {
  const isAny = isTrue(whenFalse ?? named.get("boolean"));
  const instead = missing ?? named.get("default_value") ?? "";
  return item === undefined || (isAny && !isTrue(item)) ? instead : item;
};

function round(item: Item, [digits, method]: Item[]): Item {
  const scale = 10 ** Number(digits ?? 0);
  const by = method === "ceil" ? Math.ceil : method === "floor" ? Math.floor : Math.round;
  return by(Number(item) * scale) / scale;
}

const at = (item: Item, path: Item): Item =>
  String(path)
    .split(".")
    .reduce((found: Item, key) => (found === undefined ? found : memberOf(found, key, false)), item);

function sorted(item: Item, args: Item[], named: Named): Item {
  const attribute = named.get("attribute") ?? args[2];
  const keyOf = (one: Item): Item => {
    const key = attribute === undefined ? one : at(one, attribute);
    return typeof key === "string" ? key.toLowerCase() : key;
  };
  const order = listOf(item)
    .map((one) => ({ one, key: keyOf(one) }))
    .sort((left, right) => compareItems(left.key, right.key))
    .map(({ one }) => one);
  return isTrue(named.get("reverse") ?? args[0]) ? order.reverse() : order;
}

const chosenBy =
  (isKept: boolean): Filter =>
  (item, [attribute, test, wanted]) =>
    listOf(item).filter((one) => {
      const found = at(one, attribute);
      const isHit =
        test === undefined
          ? isTrue(found)
          : test === "defined"
            ? found !== undefined
            : test === "equalto" || test === "eq" || test === "=="
              ? areEqual(found, wanted)
              : test === "none"
                ? found === null
                : test === "in" && isList(wanted)
                  ? wanted.some((value) => areEqual(value, found))
                  : null;
      if (isHit === null) throw new TemplateError(`The test ${textOf(test)} is not known to selectattr`);
      return isHit === isKept;
    });

const HASHES: ReadonlySet<string> = new Set(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]);
const hashNamed = (name: Item): string => {
  const type = String(name).toLowerCase();
  if (!HASHES.has(type)) throw new TemplateError(`There is no hash function ${type}`);
  return type;
};

/** The first of those that are equal. Texts and numbers are known by themselves, others are compared one by one. */
function unique(item: Item): Item {
  const [plain, others]: [Set<Item>, Item[]] = [new Set(), []];
  return listOf(item).filter((one) => {
    const known = typeof one === "boolean" ? Number(one) : one;
    const isPlain = typeof known !== "object" || known === null;
    if (isPlain ? plain.has(known) : others.some((other) => areEqual(one, other))) return false;
    if (isPlain) plain.add(known);
    else others.push(one);
    return true;
  });
}

const extremes =
  (sign: 1 | -1): Filter =>
  (item) =>
    listOf(item).reduce((best, one) => (compareItems(one, best) * sign > 0 ? one : best));

export const FILTERS: Readonly<Record<string, Filter>> = {
  default: fallback,
  d: fallback,
  int: wholeNumber,
  float: floating,
  string: (item) => textOf(item),
  lower: (item) => textOf(item).toLowerCase(),
  upper: (item) => textOf(item).toUpperCase(),
  title: (item) => titled(textOf(item)),
  capitalize: (item) => capitalized(textOf(item)),
  trim: (item) => textOf(item).trim(),
  replace: (item, args) => replaced(textOf(item), args),
  join: (item, [mark], named) => {
    const attribute = named.get("attribute");
    const parts = listOf(item).map((one) => textOf(attribute === undefined ? one : at(one, attribute)));
    return joinedBy(mark === undefined ? "" : textOf(mark), parts);
  },
  length: (item) => (item === undefined ? 0 : isDictionary(item) ? item.size : listOf(item).length),
  count: (item) => (item === undefined ? 0 : isDictionary(item) ? item.size : listOf(item).length),
  first: (item) => listOf(item)[0],
  last: (item) => listOf(item).at(-1),
  list: (item) => listOf(item),
  items: (item) => (isDictionary(item) ? [...item] : []),
  reverse: (item) => (typeof item === "string" ? Array.from(item).reverse().join("") : [...listOf(item)].reverse()),
  unique,
  sort: sorted,
  map: (item, args, named) => {
    const attribute = named.get("attribute");
    if (attribute !== undefined) return listOf(item).map((one) => at(one, attribute) ?? named.get("default"));
    const name = textOf(args[0]);
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (!filter) throw new TemplateError(`The filter ${name} is not known`);
    const rest = args.slice(1);
    return listOf(item).map((one) => {
      spendOn([one, ...rest]);
      return filter(one, rest, new Map());
    });
  },
  selectattr: chosenBy(true),
  rejectattr: chosenBy(false),
  sum: (item) => listOf(item).reduce((total: number, one) => total + Number(one), 0),
  max: extremes(1),
  min: extremes(-1),
  abs: (item) => Math.abs(Number(item)),
  round,
  tojson: (item) => limited(JSON.stringify(jsonValueOf(item))),
  urlencode: (item) =>
    isDictionary(item)
      ? [...item].map(([key, one]) => `${encodeURIComponent(key)}=${encodeURIComponent(textOf(one))}`).join("&")
      : encodeURIComponent(textOf(item)).replaceAll("%2F", "/"),
  safe: (item) => item,
  hash: (item, [type, salt], named) => {
    const hash = createHash(hashNamed(type ?? named.get("hash_type") ?? "md5"));
    const salted = salt ?? named.get("salt");
    return hash
      .update(textOf(item))
      .update(salted === undefined || salted === null ? "" : textOf(salted))
      .digest("hex");
  },
  hmac: (item, [key, type], named) =>
    createHmac(hashNamed(type ?? named.get("hash_type") ?? "sha256"), textOf(key ?? named.get("key")))
      .update(textOf(item))
      .digest("hex"),
  base64encode: (item) => Buffer.from(textOf(item)).toString("base64"),
  base64decode: (item) => Buffer.from(textOf(item), "base64").toString("utf8"),
  regex_search: (item, [pattern]) => searchPattern(compilePattern(textOf(pattern)), textOf(item)) ?? "",
};
