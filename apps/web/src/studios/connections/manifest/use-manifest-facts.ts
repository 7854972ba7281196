/** What the server knows of the manifest that is being entered: asked once the text has stood still for a moment. */
import { describeConnectorManifest, MAX_MANIFEST_LENGTH } from "@accord/contracts/connections/manifest-facts";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { parsedValues } from "./manifest-values.model.ts";

const ASK_DELAY_MS = 400;

/** `inputs`: the text that was stored when the form opened, which the server reads where it is no JSON. */
export function useManifestFacts(manifest: unknown, inputs: unknown) {
  const text = typeof manifest === "string" ? manifest : "";
  const [asked] = useDebouncedValue(text, ASK_DELAY_MS);
  const [stored] = useState(typeof inputs === "string" && parsedValues(inputs) === null ? inputs : "");
  const isAsking = useCan("WRITE_CONNECTOR");
  const query = useEndpoint(
    describeConnectorManifest,
    { body: { manifest: asked, inputs: stored } },
    { enabled: isAsking && asked.trim() !== "" && asked.length <= MAX_MANIFEST_LENGTH, staleTime: Infinity },
  );
  const isCurrent = asked === text;
  return {
    /** Whether this person may have manifests described: who may only look is shown what is stored. */
    isAsking,
    isBlank: text.trim() === "",
    isTooLong: text.length > MAX_MANIFEST_LENGTH,
    facts: isCurrent ? query.data : undefined,
    error: isCurrent ? query.error : null,
  };
}
