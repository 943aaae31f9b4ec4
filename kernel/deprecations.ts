import { expectText } from "#lib/values";
import { callCheck } from "./call-check.js";
import type { Deprecation, Logger } from "./contracts.js";

const assertDeprecation = callCheck(
  "deprecate",
  { code: expectText, message: expectText, since: expectText },
  'site.deprecate("SHOP_CART_HOOK", "onCart is replaced by onCartChange", "2.1.0")',
);

/** What a site uses that a later version removes, each once. */
export class Deprecations {
  readonly #found = new Map<string, Deprecation>();

  /** Logs the first use of each code and message. @throws ERR_CALL_ARGUMENT. */
  add({ plugin, code, message, since }: Deprecation, log: Logger): void {
    assertDeprecation(code, message, since);
    const key = `${code} ${message}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, { plugin, code, message, since });
    log.warn("deprecated", { code, message, since });
  }

  /** In the order of their first use. */
  list(): readonly Deprecation[] {
    return [...this.#found.values()];
  }
}
