import type { ComponentChildren, VNode } from "preact";
import { t } from "../app/app-texts.js";
import { Failure } from "./failure.js";
import type { Loaded } from "./use-loaded.js";

/** Shows loaded data, the wait before it, or the failure with a second try. */
export function Loading<T>({
  of,
  children,
}: {
  of: Loaded<T>;
  children(data: T): ComponentChildren;
}): VNode {
  if (of.data !== undefined) {
    return (
      <>
        {of.error !== null && <Failure error={of.error} onRetry={of.reload} />}
        {children(of.data)}
      </>
    );
  }
  if (of.error !== null) return <Failure error={of.error} onRetry={of.reload} />;
  return (
    <p class="waiting" role="status">
      {t("loading")}
    </p>
  );
}
