/** Signs in with the key of a service account: a signed statement (RFC 7523) is exchanged for an access token. */
import {
  classifyStatus,
  ConnectorError,
  jsonOf,
  sendRequest,
  type ConnectContext,
  type Token,
} from "@accord/connector-sdk";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { createPrivateKey, sign, type KeyObject } from "node:crypto";
import { z } from "zod";
import { SCOPES } from "../config.ts";

const KeyFile = z.object({
  client_email: z.string().trim().min(3).max(320),
  private_key: z.string().min(1),
  private_key_id: z.string().max(200).optional(),
});

interface ServiceAccount {
  email: string;
  keyId: string | undefined;
  key: KeyObject;
}

const words = googleSheets.key;

/** @throws ConnectorError `authentication` for what is no key file; its words hold nothing of it. */
export function serviceAccountIn(text: string): ServiceAccount {
  try {
    const { client_email: email, private_key: pem, private_key_id: keyId } = KeyFile.parse(JSON.parse(text));
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa") return { email, keyId, key };
  } catch {
    // Parsers quote what they can't read.
  }
  throw new ConnectorError("authentication", words.unreadable, { hint: words.unreadableHint, neverSent: true });
}

/** The longest that Google takes. */
const LIFE_S = 3600;

const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");

function statementOf({ email, keyId, key }: ServiceAccount, tokenUrl: string, now: Date): string {
  const from = Math.floor(now.getTime() / 1000);
  const head = part({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) });
  const claims = part({ iss: email, scope: SCOPES.join(" "), aud: tokenUrl, iat: from, exp: from + LIFE_S });
  const signature = sign("RSA-SHA256", Buffer.from(`${head}.${claims}`), key).toString("base64url");
  return `${head}.${claims}.${signature}`;
}

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().default(300) });
const Refused = z.object({ error: z.string(), error_description: z.string().optional() });

/** Asks at the address of the connection's settings alone, whatever address the key file names. */
export async function fetchToken(context: ConnectContext, account: ServiceAccount, tokenUrl: string): Promise<Token> {
  const assertion = statementOf(account, tokenUrl, context.now());
  const answer = await sendRequest(context, {
    method: "POST",
    url: new URL(tokenUrl),
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    secretValues: [assertion, ...assertion.split(".")],
    body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString(),
    signal: context.signal,
  });
  if (!answer.ok) throw refusalOf(answer, account);
  const { data } = Granted.safeParse(jsonOf(answer));
  if (!data) throw new ConnectorError("unexpected", fill(words.noToken, { place: answer.place }));
  return { value: data.access_token, until: context.now().getTime() + data.expires_in * 1000 };
}

function refusalOf(answer: Parameters<typeof jsonOf>[0], { email }: ServiceAccount): ConnectorError {
  const { status, headers, place } = answer;
  const said = status === 400 || status === 401 ? Refused.safeParse(jsonOrNull(answer)).data : undefined;
  if (status !== 400 && status !== 401) return classifyStatus(status, headers, place, null);
  const says = said ? `: ${said.error_description ?? said.error}` : "";
  return new ConnectorError("authentication", fill(words.refused, { account: email, says }), {
    hint: words.refusedHint,
    neverSent: true,
  });
}

function jsonOrNull(answer: Parameters<typeof jsonOf>[0]): unknown {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}
