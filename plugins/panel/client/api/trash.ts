/** Taking deletions back. */
import { attempt } from "../app/toasts.js";
import { call } from "./request.js";

/**
 * What takes deletions back, for the message that reports them; undefined when the trash does not have all of them.
 * `onRestored` is called once all are back.
 */
export function undoDeletions(
  ids: readonly (string | null | undefined)[],
  onRestored: () => void,
): (() => void) | undefined {
  const known = ids.filter((id) => typeof id === "string");
  if (known.length === 0 || known.length < ids.length) return undefined;
  const restore = async (): Promise<void> => {
    // In the reverse order: each finds what it was deleted from.
    for (const id of known.toReversed()) await call("POST /trash", { body: { id } });
    onRestored();
  };
  return () => void attempt(restore);
}
