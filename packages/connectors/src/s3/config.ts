/** What files in object storage need: where it is, the bucket, the folder, how the files are written, and who reads them. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { isIP } from "node:net";
import { z } from "zod";
import { TEXT_FIELDS, TEXT_SHAPE } from "../files/config.ts";

/** Whether it is the address of a service: a server, and a path at most. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "");
}

export const S3Config = z.object({
  /** Empty: AWS, in the region that is named. */
  endpoint: z
    .string()
    .trim()
    .max(500)
    .default("")
    .refine((text) => text === "" || isEndpoint(text), { error: "must look like https://storage.example.com" }),
  // A part of the host at AWS: nothing that leads to another one.
  region: z
    .string()
    .trim()
    .default("us-east-1")
    .refine((text) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text), { error: "must look like eu-central-1" }),
  bucket: z
    .string()
    .trim()
    .min(1, "is required")
    .refine((text) => text === "" || /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(text), {
      error: "must be the name of a bucket: letters, digits, points and hyphens",
    }),
  /** Empty: the whole bucket. */
  folder: z
    .string()
    .trim()
    .max(1000)
    .default("")
    // Addresses with them mean another folder.
    .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), {
      error: "must name a folder without . and ..",
    })
    // As people write folders; keys begin without it.
    .transform((text) => text.replace(/^\/+|\/+$/g, "")),
  pathStyle: z.boolean().default(false),
  ...TEXT_SHAPE,
  answerSeconds: z.coerce.number().int().min(1).max(600).default(30),
});
export type S3Config = z.output<typeof S3Config>;

type Address = Pick<S3Config, "endpoint" | "region">;

const awsDomain = (region: string): string => (region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com");

export const endpointOf = ({ endpoint, region }: Address): URL =>
  new URL(endpoint === "" ? `https://s3.${region}.${awsDomain(region)}` : endpoint);

/** Buckets with a name that is part of a host, at a server that is known by one. */
const isInHost = ({ bucket, pathStyle }: S3Config, { hostname }: URL): boolean =>
  !pathStyle && /^[a-z0-9-]{3,63}$/.test(bucket) && isIP(hostname.replace(/^\[|\]$/g, "")) === 0;

/** `host:port` of each server that is asked. */
export function hostsOf(config: S3Config): string[] {
  const url = endpointOf(config);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return [...(isInHost(config, url) ? [`${config.bucket}.${url.hostname}`] : []), url.hostname].map(
    (host) => `${host}:${port}`,
  );
}

/** A key of AWS is one of all its regions. */
export const destinationOf = (config: Address): string =>
  config.endpoint === "" ? `https://s3.${awsDomain(config.region)}` : endpointOf(config).origin;

export const S3_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "endpoint",
    label: "Endpoint",
    datatype: "string",
    helpText: "Empty for Amazon S3. Else the address of the storage, e.g. https://storage.example.com:9000",
  },
  {
    name: "region",
    label: "Region",
    datatype: "string",
    defaultValue: "us-east-1",
    required: true,
    helpText: "Where the bucket is, e.g. eu-central-1. Storage outside of AWS often takes us-east-1 or auto.",
  },
  { name: "bucket", label: "Bucket", datatype: "string", required: true },
  {
    name: "folder",
    label: "Folder (prefix)",
    datatype: "string",
    helpText:
      "Empty for the whole bucket. Each CSV or JSON Lines file and each sheet of an XLSX workbook in it becomes an entity, each subfolder one for all of its files.",
  },
  {
    name: "pathStyle",
    label: "Name the bucket in the path",
    datatype: "boolean",
    defaultValue: false,
    helpText:
      "On for most storage outside of AWS, such as MinIO or Ceph: https://host/bucket instead of https://bucket.host",
  },
  ...TEXT_FIELDS,
  {
    name: "answerSeconds",
    label: "Longest wait for an answer (seconds)",
    datatype: "integer",
    defaultValue: 30,
    fieldSet: "Advanced",
  },
];

export const S3_AUTH_METHODS: AuthMethod[] = [
  {
    type: "apiSecretKey",
    label: "Access key",
    fields: [
      {
        name: "accessKeyId",
        label: "Access key ID",
        datatype: "string",
        required: true,
        helpText: "Of a user who may list the bucket and read its objects (s3:ListBucket, s3:GetObject).",
      },
      { name: "secretAccessKey", label: "Secret access key", datatype: "password", secret: true, required: true },
      {
        name: "sessionToken",
        label: "Session token",
        datatype: "password",
        secret: true,
        helpText: "Only for temporary keys, which end after some hours.",
      },
    ],
  },
];
