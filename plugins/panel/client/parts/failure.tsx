import type { VNode } from "preact";
import { t } from "../app/texts.js";
import { ApiError, OfflineError } from "../api/request.js";

interface FailureProps {
  error: unknown;
  /** Absent: there is no button to try again. */
  onRetry?: () => void;
}

/** A failed call: the server's reason, and each wrong field. */
export function Failure({ error, onRetry }: FailureProps): VNode {
  return (
    <div class="notice bad" role="alert">
      <p>{reasonOf(error)}</p>
      {fieldErrors(error).length > 0 && (
        <ul>
          {fieldErrors(error).map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

/** The text of a failure. */
export function reasonOf(error: unknown): string {
  if (error instanceof OfflineError) return t("offline");
  return error instanceof Error ? error.message : String(error);
}

/** Returns what the server rejected, by field. */
export function fieldErrors(error: unknown): { field: string; message: string }[] {
  const list = error instanceof ApiError ? error.body["validationErrors"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const { field = "", message = "" }: { field?: string; message?: string } = one;
    return [{ field, message }];
  });
}
