import type { EngineCall, EngineSlot, Logger } from "../contracts.js";
import { engineFailureFields } from "./engine-calls.js";

/** How long the site waits for an engine of another plugin to close, in ms. */
const CLOSE_MS = 5_000;

/** The call `close` of a slot, for `engines.open`. */
export const closeCall: EngineCall = { result: () => null, limitMs: CLOSE_MS };

/** Closes every engine of a slot; one that fails is logged and keeps no other open. */
export async function closeEngines(
  slot: Pick<EngineSlot<{ close?(): void | Promise<void> }>, "names" | "get">,
  log: Logger,
): Promise<void> {
  for (const name of slot.names) {
    try {
      await slot.get(name)?.close?.();
    } catch (error) {
      log.warn("engine.close_failed", engineFailureFields(error));
    }
  }
}
