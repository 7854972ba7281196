/** A refused call in place, with what it says about single inputs. */
import { ErrorBox } from "@accord/ui";
import { ApiError, wordsOf } from "../../../../app/api-error.ts";

/** A refusal that no input shows: the server's words, and those about inputs of another step. */
export function RefusalBox({ error }: { error: Error }) {
  const problems = error instanceof ApiError ? error.fieldProblems : [];
  const description = error instanceof ApiError ? error.description : undefined;
  return (
    <ErrorBox
      message={
        <>
          {wordsOf(error)} {problems.length === 0 ? description : null}
          {problems.map(({ path, message }) => (
            <div key={path}>
              {path.replace(/^(config|credentials)\./, "")}: {message}
            </div>
          ))}
        </>
      }
      requestId={error instanceof ApiError ? error.requestId : undefined}
    />
  );
}
