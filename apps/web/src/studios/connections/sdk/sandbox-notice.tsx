/** Says that uploaded code can't run on this server, why, and what an operator does about it. */
import { ErrorBox } from "@accord/ui";
import { useWords } from "../../../app/words.ts";
import { usePackageIndex } from "./sdk-queries.ts";

/** Whether code can run; undefined while that is asked. */
export const useSandbox = () => usePackageIndex().data?.sandbox;

export function SandboxNotice() {
  const { t } = useWords("sdkSynapses");
  const sandbox = useSandbox();
  if (!sandbox || sandbox.isAvailable) return null;
  return (
    <ErrorBox
      tone="warn"
      title={t("sandbox.title")}
      message={
        <>
          {sandbox.reason} {t("sandbox.body")}
          {sandbox.fix ? <div>{t("sandbox.fix", { fix: sandbox.fix })}</div> : null}
        </>
      }
    />
  );
}
