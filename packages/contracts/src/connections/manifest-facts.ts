/** What is known of a low-code manifest without connecting: its streams, component types and inputs. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";

/** Characters of a manifest that a connection stores: a call to the server takes a megabyte. */
export const MAX_MANIFEST_LENGTH = 900_000;

/** An input of a manifest; `name` is its path joined by points. */
export const ManifestInput = InputDefinition.extend({
  path: z.array(z.string()),
  /** What is entered or chosen is a number, whatever it is entered as. */
  isNumber: z.boolean().optional(),
});
export type ManifestInput = z.output<typeof ManifestInput>;

export const ManifestFacts = z.strictObject({
  version: z.string().nullable(),
  description: z.string().nullable(),
  licence: z.string().nullable(),
  /** Every component type that is used, most used first. */
  types: z.array(
    z.strictObject({ type: z.string(), count: z.int(), isSupported: z.boolean(), streams: z.array(z.string()) }),
  ),
  /** Sentences that say why a stream can't run; none where it can. */
  streams: z.array(z.strictObject({ name: z.string(), problems: z.array(z.string()) })),
  inputs: z.array(ManifestInput),
  /** The plain inputs that were sent. */
  values: Values,
});
export type ManifestFacts = z.output<typeof ManifestFacts>;

/** What a low-code manifest is made of and asks for, before anything is connected or stored. */
export const describeConnectorManifest = endpoint({
  name: "describeConnectorManifest",
  method: "POST",
  path: "/connectors/describe-manifest",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Which streams of a low-code manifest run, what is missing for the others, and which inputs it asks for.",
  body: z.strictObject({
    manifest: z.string().min(1, "paste a manifest").max(MAX_MANIFEST_LENGTH),
    /** Plain inputs as they are stored, YAML or JSON: answered as values. */
    inputs: z.string().max(100_000).default(""),
  }),
  reply: ManifestFacts,
  errors: ["validation_failed"],
});
