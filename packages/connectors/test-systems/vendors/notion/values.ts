/** What the simulated Notion makes of the property values that it is sent. */
import { isObject, type Json } from "../kit.ts";
import { absent, instead, invalid, shouldBe, uuidAt } from "./refusals.ts";
import { isPropertyType, newOption, type Database, type Property } from "./schema.ts";

/** What values are checked against beside their own property. */
export interface ValueRules {
  databases: readonly Database[];
  userIds: readonly string[];
}

const READ_ONLY = [
  "formula",
  "rollup",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "unique_id",
];
const WRITABLE = [
  "title",
  "rich_text",
  "number",
  "url",
  "select",
  "multi_select",
  "people",
  "email",
  "phone_number",
  "date",
  "checkbox",
  "relation",
  "files",
  "status",
];
const LIMITS = { list: 100, content: 2000, url: 2000, email: 200, phone: 200, option: 100 };

/** The value of one property in the form in which answers have it behind its type. */
export function readValue(property: Property, sent: unknown, place: string, rules: ValueRules): unknown {
  if (!isObject(sent)) return invalid(`Invalid property value for: "${property.name}".`);
  const types = Object.keys(sent).filter((name) => name !== "id" && name !== "type" && name !== "name");
  const [type] = types;
  if (types.length !== 1 || type === undefined || !isPropertyType(type) || READ_ONLY.includes(type)) {
    const lines = WRITABLE.map((name) => `${place}.${name} should be defined, ${instead(sent[name])}`);
    return invalid(`body failed validation. Fix one:\n${lines.join("\n")}`);
  }
  if (sent["type"] !== undefined && sent["type"] !== type)
    return shouldBe(`${place}.type`, `\`"${type}"\` or \`undefined\``, sent["type"]);
  if (type !== property.type) return invalid(`${property.name} is expected to be ${property.type}.`);
  return READERS[type]?.(property, sent[type], `${place}.${type}`, rules);
}

type Reader = (property: Property, value: unknown, place: string, rules: ValueRules) => unknown;

function listAt(place: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) return shouldBe(place, "an array", value);
  if (value.length > LIMITS.list)
    return invalid(
      `body failed validation: ${place}.length should be ≤ \`${LIMITS.list}\`, instead was \`${value.length}\`.`,
    );
  return value;
}

/** Texts that are there can't be empty: what is empty is null. */
function textReader(most: number): Reader {
  return (_property, value, place) => {
    if (value === null) return null;
    if (typeof value !== "string" || value === "") return shouldBe(place, "a populated string or `null`", value);
    if (value.length <= most) return value;
    return invalid(`body failed validation: ${place}.length should be ≤ \`${most}\`, instead was \`${value.length}\`.`);
  };
}

const READERS: Readonly<Record<string, Reader>> = {
  title: (_property, value, place) => richText(value, place),
  rich_text: (_property, value, place) => richText(value, place),
  number: (_property, value, place) =>
    value === null || typeof value === "number" ? value : shouldBe(place, "a number or `null`", value),
  checkbox: (_property, value, place) => (typeof value === "boolean" ? value : shouldBe(place, "a boolean", value)),
  url: textReader(LIMITS.url),
  email: textReader(LIMITS.email),
  phone_number: textReader(LIMITS.phone),
  select: (property, value, place) => (value === null ? null : optionOf(property, value, place)),
  status: (property, value, place) => (value === null ? null : optionOf(property, value, place)),
  multi_select(property, value, place) {
    const chosen = listAt(place, value).map((one, at) => optionOf(property, one, `${place}[${at}]`));
    return [...new Map(chosen.map((option) => [option["id"], option])).values()];
  },
  date: (_property, value, place) => readDate(value, place),
  people: (_property, value, place, { userIds }) =>
    listAt(place, value).map((one, at) => {
      const id = uuidAt(`${place}[${at}].id`, isObject(one) ? one["id"] : one);
      return userIds.includes(id) ? { object: "user", id } : invalid(`Could not find user with ID: ${id}.`);
    }),
  relation: (property, value, place, { databases }) =>
    listAt(place, value).map((one, at) => {
      const id = uuidAt(`${place}[${at}].id`, isObject(one) ? one["id"] : one);
      const related = databases.find(({ title }) => title === property.relatedTo);
      return related?.pages.has(id) === true ? { id } : absent("page", id);
    }),
  files: (_property, value, place) =>
    listAt(place, value).map((one, at) => {
      const [external, name] = isObject(one) ? [one["external"], one["name"]] : [undefined, undefined];
      if (!isObject(external) || typeof external["url"] !== "string")
        return shouldBe(`${place}[${at}].external`, "defined", external);
      if (typeof name !== "string") return shouldBe(`${place}[${at}].name`, "a string", name);
      return { name, type: "external", external: { url: external["url"] } };
    }),
};

const PLAIN = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: "default" };

/** A segment of rich text as answers show it. */
export function segment(content: string, annotations: Json = {}, link: string | null = null): Json {
  const text = { content, link: link === null ? null : { url: link } };
  return { type: "text", text, annotations: { ...PLAIN, ...annotations }, plain_text: content, href: link };
}

function richText(value: unknown, place: string): Json[] {
  return listAt(place, value).flatMap((one, at) => {
    const text = isObject(one) ? one["text"] : undefined;
    if (!isObject(one) || !isObject(text)) return shouldBe(`${place}[${at}].text`, "defined", text);
    const { content, link = null } = text;
    if (typeof content !== "string") return shouldBe(`${place}[${at}].text.content`, "a string", content);
    if (content.length > LIMITS.content)
      return invalid(
        `body failed validation: ${place}[${at}].text.content.length should be ≤ \`${LIMITS.content}\`, instead was \`${content.length}\`.`,
      );
    // An empty segment is not kept.
    if (content === "") return [];
    const url = isObject(link) && typeof link["url"] === "string" ? link["url"] : null;
    return [segment(content, isObject(one["annotations"]) ? one["annotations"] : {}, url)];
  });
}

/** One of the options by name or id. A select gets an option that it does not have; a status does not. */
function optionOf(property: Property, value: unknown, place: string): Json {
  const { name, id } = isObject(value) ? value : { name: undefined, id: undefined };
  if (typeof name !== "string" && typeof id !== "string") return shouldBe(`${place}.name`, "defined", name);
  const known = property.options.find((option) => (typeof id === "string" ? option.id === id : option.name === name));
  if (known !== undefined) return { ...known };
  if (property.type === "status")
    return invalid(`Invalid status option. Status option "${String(name ?? id)}" does not exist.`);
  if (typeof name !== "string") return invalid(`Invalid select option. Select option "${String(id)}" does not exist.`);
  if (name === "") return shouldBe(`${place}.name`, "a populated string", name);
  if (name.includes(",")) return invalid(`Invalid select option, commas not allowed: ${name}`);
  if (name.length > LIMITS.option)
    return invalid(
      `body failed validation: ${place}.name.length should be ≤ \`${LIMITS.option}\`, instead was \`${name.length}\`.`,
    );
  const option = newOption(name, property.options.length);
  property.options.push(option);
  return { ...option };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

function readDate(value: unknown, place: string): Json | null {
  if (value === null) return null;
  if (!isObject(value)) return shouldBe(place, "an object or `null`", value);
  const { start, end = null, time_zone = null } = value;
  const first = readMoment(start, `${place}.start`);
  const last = end === null ? null : readMoment(end, `${place}.end`);
  if (last !== null && DAY.test(first) !== DAY.test(last))
    return invalid("Invalid date: start and end must both be dates, or both be times.");
  if (last !== null && Date.parse(last) < Date.parse(first)) return invalid("Invalid date: end is before start.");
  if (typeof time_zone === "string" && typeof start === "string" && MOMENT.exec(start)?.[1] !== undefined)
    return invalid("A date with a time zone can't have an offset of its own.");
  return { start: first, end: last, time_zone };
}

/** Days stay days; times have milliseconds and an offset, which is that of UTC where none was sent. */
function readMoment(value: unknown, place: string): string {
  const notDate = (): never => shouldBe(place, "a valid ISO 8601 date string", value);
  if (typeof value !== "string") return notDate();
  if (DAY.test(value)) return Number.isNaN(Date.parse(value)) ? notDate() : value;
  const offset = MOMENT.exec(value)?.[1] ?? "Z";
  const bare = value.replace(/(?:Z|[+-]\d\d:?\d\d)$/, "");
  if (!MOMENT.test(value) || Number.isNaN(Date.parse(`${bare}Z`))) return notDate();
  const spelt = new Date(`${bare}Z`).toISOString().slice(0, -1);
  return spelt + (offset === "Z" ? "+00:00" : offset.replace(/^(...)(\d\d)$/, "$1:$2"));
}
