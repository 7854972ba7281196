/** Split full name. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

const TITLES: ReadonlySet<string> = new Set(
  "mr mrs ms miss mx dr prof sir dame herr frau hr fr ing dipl mag rev hon".split(" "),
);
const SUFFIXES: ReadonlySet<string> = new Set("jr sr ii iii iv phd md mba bsc msc esq".split(" "));
/** They belong to the last name that follows. */
const PARTICLES: ReadonlySet<string> = new Set(
  "van von der den de del della di da dos du la le ten ter zu zum af al bin ibn".split(" "),
);
const PARTS = ["first", "middle", "last", "title", "suffix"] as const;

const bare = (word: string): string => word.toLowerCase().replaceAll(/[.,]/g, "");

/** The parts of a name as most systems of the West hold them; `Last, First` is turned round. */
function partsOf(name: string): Record<(typeof PARTS)[number], string> {
  const [before = "", ...after] = name.split(",").map((piece) => piece.trim());
  const isSuffix = after.every((piece) => SUFFIXES.has(bare(piece)));
  const turned = after.length > 0 && !isSuffix ? `${after.join(" ")} ${before}` : [before, ...after].join(" ");
  const words = turned.split(/\s+/).filter((word) => word !== "");
  const titles: string[] = [];
  while (words.length > 1 && TITLES.has(bare(words[0] ?? ""))) titles.push(...words.splice(0, 1));
  const suffixes: string[] = [];
  while (words.length > 1 && SUFFIXES.has(bare(words.at(-1) ?? ""))) suffixes.unshift(...words.splice(-1));
  const first = words.shift() ?? "";
  let lastFrom = words.length - 1;
  while (lastFrom > 0 && PARTICLES.has(bare(words[lastFrom - 1] ?? ""))) lastFrom--;
  return {
    first,
    middle: words.slice(0, Math.max(0, lastFrom)).join(" "),
    last: words.slice(Math.max(0, lastFrom)).join(" "),
    title: titles.join(" "),
    suffix: suffixes.map((word) => word.replace(/,$/, "")).join(" "),
  };
}

export const splitFullName = defineValueFunction({
  name: "splitFullName",
  label: "Split full name",
  family: "text",
  summary: "Takes one part of a person's full name, or all of them.",
  inputs: [
    {
      name: "part",
      label: "Part",
      datatype: "picklist",
      defaultValue: "all",
      values: [
        { id: "all", label: "All parts, as an object" },
        { id: "first", label: "First name" },
        { id: "middle", label: "Middle names" },
        { id: "last", label: "Last name" },
        { id: "title", label: "Title" },
        { id: "suffix", label: "Suffix" },
      ],
    },
  ],
  config: z.object({ part: z.enum(["all", ...PARTS]).default("all") }),
  output: "object",
  prepare:
    ({ part }) =>
    (value) => {
      const parts = partsOf(textOf(value).trim());
      return part === "all" ? { ...parts } : parts[part] === "" ? null : parts[part];
    },
  examples: [
    { says: "the last name", config: { part: "last" }, in: "Ann Marie Lee", out: "Lee" },
    {
      says: "small words belong to the last name",
      config: { part: "last" },
      in: "Ludwig van Beethoven",
      out: "van Beethoven",
    },
    { says: "the last name may come first", config: { part: "first" }, in: "Lee, Ann", out: "Ann" },
    {
      says: "all parts",
      config: {},
      in: "Dr. Martin Luther King Jr.",
      out: { first: "Martin", middle: "Luther", last: "King", title: "Dr.", suffix: "Jr." },
    },
    { says: "a single name is a first name", config: { part: "last" }, in: "Cher", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { part: "last" },
      in: ["Ann Marie Lee", "Ludwig van Beethoven"],
      out: ["Lee", "van Beethoven"],
    },
    { says: "a number is taken as text", config: { part: "last" }, in: 12, out: null },
  ],
});
