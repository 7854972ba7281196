/** What a connection needs that speaks a protocol of its own: host, port, and how long a connection may take. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";

export const hostShape = (port: number) => ({
  host: z.string().trim().min(1, "is required").max(255),
  port: z.coerce.number().int().min(1).max(65_535).default(port),
});

/** `example`: of a name, as people see it below the input. */
export const hostFields = (port: number, example: string): InputDefinition[] => [
  { name: "host", label: "Host", datatype: "string", required: true, helpText: `Name or address, e.g. ${example}` },
  { name: "port", label: "Port", datatype: "integer", defaultValue: port },
];

export const CONNECT_SHAPE = { connectSeconds: z.coerce.number().int().min(1).max(120).default(10) };

export const CONNECT_FIELD: InputDefinition = {
  name: "connectSeconds",
  label: "Longest wait for a connection (seconds)",
  datatype: "integer",
  defaultValue: 10,
  fieldSet: "Advanced",
};
