/** The program files that are chosen and not saved yet, and what is to be said of those that were not taken. */
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { sizeOf } from "../../../shared/byte-size.ts";
import { usePackageIndex } from "./sdk-queries.ts";
import { FILE_SLOTS, sortFiles, type FileSlot } from "./sdk-synapse.model.ts";

export type ChosenFiles = Partial<Record<FileSlot, File>>;

export function useChosenFiles() {
  const { t } = useWords("sdkSynapses");
  const limits = usePackageIndex().data?.limits;
  const [files, setFiles] = useState<ChosenFiles>({});
  const [refusedFiles, setRefusedFiles] = useState<string[]>([]);
  const [replacedFiles, setReplacedFiles] = useState<string[]>([]);
  return {
    files,
    hasFiles: Object.keys(files).length > 0,
    /** Why others that were chosen with them are not taken. */
    refusedFiles,
    /** Which of the last choice took the place of one that was not saved yet. */
    replacedFiles,
    choose(given: Iterable<File>): void {
      const { taken, refused, leftOut } = sortFiles(given, limits);
      setRefusedFiles([
        ...refused.map(({ file, slot, problem }) => {
          const limit = slot ? sizeOf(limits?.[slot] ?? 0) : "";
          return t(`form.${problem}`, { name: file.name, size: sizeOf(file.size), limit });
        }),
        ...leftOut.map(({ file, slot, by }) =>
          t("form.leftOut", { name: file.name, by: by.name, slot: t(`form.slot.${slot}`) }),
        ),
      ]);
      setReplacedFiles(
        FILE_SLOTS.flatMap((slot) => {
          const [file, former] = [taken[slot], files[slot]];
          return file && former ? [t("form.replaced", { name: file.name, former: former.name })] : [];
        }),
      );
      setFiles((old) => ({ ...old, ...taken }));
    },
    drop(slot: FileSlot): void {
      setReplacedFiles([]);
      setFiles(({ [slot]: _, ...others }) => others);
    },
    dropAll(): void {
      setRefusedFiles([]);
      setReplacedFiles([]);
      setFiles({});
    },
  };
}
