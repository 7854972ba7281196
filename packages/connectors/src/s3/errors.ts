/** What object storage refuses, as classified errors that name the input and what to do. */
import { classifyNetworkError, classifyStatus, ConnectorError } from "@accord/connector-sdk";
import { z } from "zod";
import type { S3Config } from "./config.ts";

/** As the library throws what a server answered: the parts of its error, and the answer it stood in. */
const Refusal = z.object({
  name: z.string(),
  message: z.string(),
  Code: z.string().optional().catch(undefined),
  Region: z.string().optional().catch(undefined),
  $response: z.object({ statusCode: z.number(), headers: z.record(z.string(), z.string()) }),
});

interface Answered {
  /** `NoSuchBucket`; `Unknown…` where the answer named none. */
  code: string;
  status: number;
  message: string;
  headers: Record<string, string>;
  /** Where the bucket is, if that was said. */
  region: string | undefined;
}

function answeredIn(error: unknown): Answered | null {
  const { data } = Refusal.safeParse(error);
  if (!data) return null;
  const { $response, Region, Code = data.name, message } = data;
  const { statusCode: status, headers } = $response;
  return { code: Code, status, message, headers, region: Region ?? headers["x-amz-bucket-region"] };
}

/** What was asked for: `place` is `host` of the storage, `object` the file as messages call it, where it is one. */
export interface Asked {
  config: S3Config;
  place: string;
  object?: string;
}

type Explain = (asked: Asked, answered: Answered) => ConnectorError;

const KEY_HINT = "Enter the access key ID and the secret access key again.";

const unknownKey: Explain = ({ place }) =>
  new ConnectorError("authentication", `${place} does not know this access key ID.`, { hint: KEY_HINT });
const wrongSecret: Explain = ({ place }) =>
  new ConnectorError("authentication", `${place} says that the secret access key is not that of this access key ID.`, {
    hint: KEY_HINT,
  });
const endedToken: Explain = ({ place }) =>
  new ConnectorError("authentication", `${place} does not take the session token (any more).`, {
    hint: "Enter a new temporary key with its session token, or a lasting key without one.",
  });
const denied: Explain = ({ config, object }) =>
  object === undefined
    ? new ConnectorError("permission", `This access key may not list the bucket ${config.bucket}.`, {
        hint: `Allow s3:ListBucket on ${config.bucket}, and check the name of the bucket.`,
      })
    : new ConnectorError("permission", `This access key may not read ${object}.`, {
        hint: `Allow s3:GetObject on the objects of ${config.bucket}; encrypted ones need kms:Decrypt too.`,
      });
const noBucket: Explain = ({ config, place }) =>
  new ConnectorError("configuration", `There is no bucket ${config.bucket} on ${place}.`, {
    hint: "Check Bucket, Endpoint and whether the bucket is named in the path.",
  });
const otherRegion: Explain = ({ config }, { region }) => {
  const isNamed = region !== undefined && /^[\w-]{1,63}$/.test(region) && region !== config.region;
  return isNamed
    ? new ConnectorError("configuration", `The bucket ${config.bucket} is in ${region}, not in ${config.region}.`, {
        hint: `Enter ${region} as Region.`,
      })
    : new ConnectorError(
        "configuration",
        `The bucket ${config.bucket} is at another address than Region and Endpoint name.`,
        {
          hint: "Check Region and Endpoint: the page of the bucket shows where it is.",
        },
      );
};
const wrongClock: Explain = ({ place }) =>
  new ConnectorError("configuration", `The clocks of this server and of ${place} differ by too much.`, {
    hint: "Set the clock of the server that Accord runs on (NTP): requests are signed with its time.",
  });
const replaced: Explain = ({ object }) =>
  new ConnectorError("unreachable", `${object ?? "An object"} was replaced or deleted while it was read.`, {
    hint: "It is read again by itself.",
  });
const archived: Explain = ({ object }) =>
  new ConnectorError("permission", `${object ?? "An object"} is archived and can't be read.`, {
    hint: "Restore it, or change its storage class.",
  });
/** Some say it with 400 or 503: it is what 429 means. */
const tooMany: Explain = ({ place }, { headers }) => classifyStatus(429, headers, place, null);

const EXPLANATIONS = new Map<string, Explain>([
  ["InvalidAccessKeyId", unknownKey],
  ["SignatureDoesNotMatch", wrongSecret],
  ["ExpiredToken", endedToken],
  ["InvalidToken", endedToken],
  ["TokenRefreshRequired", endedToken],
  ["AccessDenied", denied],
  ["AllAccessDisabled", denied],
  ["NoSuchBucket", noBucket],
  ["InvalidBucketName", noBucket],
  ["PermanentRedirect", otherRegion],
  ["TemporaryRedirect", otherRegion],
  ["AuthorizationHeaderMalformed", otherRegion],
  ["IllegalLocationConstraintException", otherRegion],
  ["RequestTimeTooSkewed", wrongClock],
  ["PreconditionFailed", replaced],
  ["NoSuchKey", replaced],
  ["InvalidRange", replaced],
  ["InvalidObjectState", archived],
  ["SlowDown", tooMany],
  ["Throttling", tooMany],
  ["ThrottlingException", tooMany],
  ["RequestLimitExceeded", tooMany],
  ["TooManyRequests", tooMany],
]);

const BY_STATUS = new Map<number, Explain>([
  [301, otherRegion],
  [307, otherRegion],
  [412, replaced],
  [416, replaced],
]);

export function classifyRefusal(error: unknown, asked: Asked): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const answered = answeredIn(error);
  if (!answered) return classifyNetworkError(error, asked.place);
  const { code, status, headers, message } = answered;
  const explain = EXPLANATIONS.get(code) ?? BY_STATUS.get(status);
  if (explain) return withCause(explain(asked, answered), error);
  if (status < 300)
    return new ConnectorError("unexpected", `${asked.place} answered something that is not object storage's.`, {
      cause: error,
      hint: "Check Endpoint: it may be the address of a website.",
    });
  const detail = /^unknown/i.test(code) ? null : `${code}: ${message.slice(0, 200)}`;
  return withCause(classifyStatus(status, headers, asked.place, detail), error);
}

const withCause = ({ kind, message, hint, retryAfterMs }: ConnectorError, cause: unknown): ConnectorError =>
  new ConnectorError(kind, message, {
    cause,
    ...(hint !== undefined && { hint }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
