/** Signatures of Amazon S3 as its server checks them: AWS Signature Version 4 in the header Authorization. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of a temporary key. */
  sessionToken?: string;
}

export interface SignedRequest {
  method: string;
  /** As it was sent, with its question. */
  target: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface S3Refusal {
  status: number;
  code: string;
  message: string;
  /** More elements of the answer. */
  more?: Record<string, string>;
  headers?: Record<string, string>;
}

const MAX_SKEW_MS = 15 * 60_000;
const FORM =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/,]+)\/(?<day>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, ?SignedHeaders=(?<names>[a-z0-9;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;

const sha256 = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const only = (value: string | string[] | undefined): string =>
  [value ?? ""].flat().join(",").trim().replace(/ +/g, " ");

/** null: signed by the key, for this region, now. */
export function refusalOf(request: SignedRequest, key: S3Key, region: string, now: Date): S3Refusal | null {
  const { headers } = request;
  const sign = FORM.exec(only(headers["authorization"]))?.groups;
  const time = only(headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!sign || Number.isNaN(at)) return { status: 403, code: "AccessDenied", message: "Access Denied" };
  const { id, day = "", names = "", signature = "" } = sign;
  if (sign["region"] !== region)
    return {
      ...{ status: 400, code: "AuthorizationHeaderMalformed", more: { Region: region } },
      message: `The authorization header is malformed; the region '${sign["region"]}' is wrong; expecting '${region}'`,
    };
  if (id !== key.accessKeyId)
    return { status: 403, code: "InvalidAccessKeyId", message: "The AWS Access Key Id you provided does not exist." };
  if (Math.abs(now.getTime() - at) > MAX_SKEW_MS)
    return {
      ...{ status: 403, code: "RequestTimeTooSkewed", more: { ServerTime: now.toISOString() } },
      message: "The difference between the request time and the current time is too large.",
    };
  if (only(headers["x-amz-security-token"]) !== (key.sessionToken ?? ""))
    return { status: 400, code: "InvalidToken", message: "The provided token is malformed or otherwise invalid." };
  const signed = names.split(";");
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  const hash = only(headers["x-amz-content-sha256"]);
  const isWhole =
    mustBeSigned.every((name) => signed.includes(name)) &&
    time.startsWith(day) &&
    (hash === sha256(request.body) || hash === "UNSIGNED-PAYLOAD");
  const text = ["AWS4-HMAC-SHA256", time, `${day}/${region}/s3/aws4_request`, sha256(canonical(request, signed, hash))];
  const signingKey = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`);
  const expected = hmac(signingKey, text.join("\n"));
  if (isWhole && timingSafeEqual(expected, Buffer.from(signature, "hex"))) return null;
  return {
    ...{ status: 403, code: "SignatureDoesNotMatch", more: { SignatureProvided: signature } },
    message: "The request signature we calculated does not match the signature you provided.",
  };
}

function canonical({ method, target, headers }: SignedRequest, signed: readonly string[], hash: string): string {
  const [path = "", question = ""] = target.split("?");
  const pairs = [...new URLSearchParams(question)].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return [
    method,
    path.split("/").map(decodeURIComponent).map(encoded).join("/"),
    pairs.sort().join("&"),
    ...signed.map((name) => `${name}:${only(headers[name])}`),
    "",
    signed.join(";"),
    hash,
  ].join("\n");
}
