/** Why drafts of webhooks can't be published, and posts not be replayed. */
export const webhookRefusals = {
  noDraft: "It has no draft any more: it was published or discarded meanwhile. Open its settings again.",
  noPayload: "The body of this post is not kept, or is no JSON. Let the sender send it again.",
  noAddress: "It has no address yet. Open its page, which gives it one, then replay the post.",
  notKept: "The post was not kept anew. Replay it once more.",
} as const;
