/** Faults injected into what is made of odd records: those without a key, of another type, and too large ones. */
import { isBlank } from "@accord/expressions";
import { ConversionError } from "@accord/sync-engine/run";
import type { NamedFaults } from "./injected-fault.ts";

export const ARRIVAL_FAULTS: NamedFaults = {
  blankKeysMatch: {
    says: "Records without a key all count as having the same one.",
    shows: ({ hasNameless }) => hasNameless,
    plan: (plan) => ({
      ...plan,
      sources: plan.sources.map((source) => ({
        ...source,
        mappings: source.mappings.map((mapping) => ({
          ...mapping,
          convert: (value) => {
            const converted = mapping.convert(value);
            const isMissing =
              mapping.coreField === "email" && !(converted instanceof ConversionError) && isBlank(converted);
            return isMissing ? "nobody@example.com" : converted;
          },
        })),
      })),
    }),
  },
  unfitIsBlank: {
    says: "What a column's new type does not take is written to it as a blank.",
    shows: ({ typeChange }) => typeChange !== null,
    plan: (plan) => ({
      ...plan,
      sinks: plan.sinks.map((sink) => ({
        ...sink,
        mappings: sink.mappings.map((mapping) => ({
          ...mapping,
          convert: (value) => {
            const converted = mapping.convert(value);
            return converted instanceof ConversionError ? null : converted;
          },
        })),
      })),
    }),
  },
  giantsCut: {
    says: "A value that is too large is cut, and goes on its way.",
    shows: ({ hasGiants }) => hasGiants,
    input: (input) =>
      input.kind === "pageRead"
        ? {
            ...input,
            page: {
              ...input.page,
              records: input.page.records.map((record) => ({
                ...record,
                values: { ...record.values, note: String(record.values["note"] ?? "").slice(0, 1_000) },
              })),
            },
          }
        : input,
  },
};
