import type { Logger } from "#kernel";
import type { Output } from "#kernel/internal";

/** Lines of a stack that are printed: the message and where it was thrown. */
const MAX_STACK = 2;

/** A log that prints errors only: why a page fails in a check. */
export function errorLog(out: Pick<Output, "error">): Logger {
  const ignore = (): void => undefined;
  const log: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    child: () => log,
    error: (event, { error, stack } = {}) => {
      const lines = Array.isArray(stack) ? stack.slice(0, MAX_STACK) : [error ?? ""];
      out.error(`${event}: ${lines.map(String).join("\n")}`);
    },
  };
  return log;
}
