/** Says whether a version of a pipeline is the one that a test ran on. Pure. */
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { TestGraphs } from "../runs/index.ts";

export const graphsHash = ({ graph, fieldGraphs }: TestGraphs): string =>
  hashText(JSON.stringify([graph, Object.entries(fieldGraphs ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))]));
