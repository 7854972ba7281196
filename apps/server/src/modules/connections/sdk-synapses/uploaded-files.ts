/** The three files of an uploaded synapse: each checked, and together known by one hash. */
import { createHash } from "node:crypto";
import type { FieldProblem } from "@accord/contracts";
import type { Upload } from "@accord/contracts/upload";
import { AppError } from "../../../platform/http/app-error.ts";
import { ArchiveError, MAX_CODE_BYTES, readCode } from "./archive.ts";
import { MAX_REQUIREMENTS_BYTES, readRequirements, RequirementsError } from "./requirements.ts";
import type { VersionFiles } from "./versions.store.ts";

const MAX_ICON_BYTES = 200_000;
/** Most bytes of each file. */
export const FILE_LIMITS = {
  synapseFile: MAX_CODE_BYTES,
  requirementsFile: MAX_REQUIREMENTS_BYTES,
  iconFile: MAX_ICON_BYTES,
};
/** By their first bytes, whatever they are called: a picture can't be a page. */
const PICTURES = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from("RIFF"),
];
const SAFE_NAME_LENGTH = 120;

export interface UploadedFiles {
  iconFile?: Upload | undefined;
  synapseFile?: Upload | undefined;
  requirementsFile?: Upload | undefined;
}

/** Files that were left out stay as they are in `former`. Throws `validation_failed`, naming the files. */
export function checkedFiles(
  uploaded: UploadedFiles,
  former: VersionFiles | null,
): VersionFiles & { content_hash: string } {
  const { iconFile, synapseFile, requirementsFile } = uploaded;
  const problems: FieldProblem[] = [];
  const check = (path: string, work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ArchiveError) && !(error instanceof RequirementsError)) throw error;
      problems.push({ path, message: error.message });
    }
  };
  if (synapseFile) check("synapseFile", () => readCode(synapseFile.fileName, synapseFile.bytes));
  if (requirementsFile) check("requirementsFile", () => readRequirements(requirementsFile.bytes));
  if (iconFile && !isPicture(iconFile.bytes))
    problems.push({ path: "iconFile", message: "must be a PNG, JPEG or WebP of 200 KB at most" });
  if (!synapseFile && !former) problems.push({ path: "synapseFile", message: "is required" });
  if (!requirementsFile && !former) problems.push({ path: "requirementsFile", message: "is required" });
  if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
  const files: VersionFiles = {
    code_name: (synapseFile?.fileName ?? former?.code_name ?? "").slice(-SAFE_NAME_LENGTH),
    code: Buffer.from(synapseFile?.bytes ?? former?.code ?? []),
    requirements: Buffer.from(requirementsFile?.bytes ?? former?.requirements ?? []),
    icon: iconFile ? Buffer.from(iconFile.bytes) : (former?.icon ?? null),
  };
  return { ...files, content_hash: contentHash(files) };
}

function isPicture(bytes: Uint8Array): boolean {
  const isKnown = PICTURES.some((magic) => magic.equals(bytes.subarray(0, magic.length)));
  return isKnown && bytes.byteLength <= MAX_ICON_BYTES;
}

/** The name decides how the code is unpacked: it counts as well. Lengths keep the parts apart. */
export function contentHash({ code_name, code, requirements, icon }: VersionFiles): string {
  const hash = createHash("sha256");
  for (const part of [Buffer.from(code_name), code, requirements, icon ?? Buffer.alloc(0)]) {
    hash.update(`${part.length}:`);
    hash.update(part);
  }
  return hash.digest("hex");
}
