/** Configurations that hold the body of a mail, readable: tokens in it are found and renamed like others. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { decodeBody, encodeBody } from "@accord/contracts/sync/mail-body";

/** A node's configuration with all its texts readable, so that tokens in them are found. */
export function readableConfiguration(node: Pick<GraphNode, "apiName" | "configuration">): GraphNode["configuration"] {
  const { body } = node.configuration;
  return node.apiName === "sendEmail" && typeof body === "string"
    ? { ...node.configuration, body: decodeBody(body) }
    : node.configuration;
}

/** The opposite: what `configuration` is kept as. */
export function keptConfiguration(
  node: Pick<GraphNode, "apiName" | "configuration">,
  configuration: GraphNode["configuration"],
): GraphNode["configuration"] {
  const { body } = configuration;
  const wasEncoded = node.apiName === "sendEmail" && node.configuration["body"] !== readableConfiguration(node)["body"];
  return wasEncoded && typeof body === "string" ? { ...configuration, body: encodeBody(body) } : configuration;
}
