/** What a manifest that somebody pasted is made of and asks for. Nothing is stored or called. */
import { ConnectorError } from "@accord/connector-sdk";
import { describeManifest, readInputs } from "@accord/connectors";
import { ManifestInput, type ManifestFacts } from "@accord/contracts/connections/manifest-facts";
import { AppError } from "../../../platform/http/app-error.ts";

/** `inputs`: plain ones as they are stored. What can't be read is refused under the name of its part. */
export function manifestFacts({ manifest, inputs }: { manifest: string; inputs: string }): ManifestFacts {
  const described = readPart("manifest", () => describeManifest(manifest));
  return {
    ...described,
    inputs: described.inputs.map((input) => ManifestInput.parse(input)),
    values: readPart("inputs", () => readInputs(inputs)),
  };
}

function readPart<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw new AppError("validation_failed", {}, { errors: [{ path, message: error.message }] });
  }
}
