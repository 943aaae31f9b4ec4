import type { HookKind } from "../contracts.js";
import { SiteError } from "../errors.js";
import { nearest } from "../config/nearest.js";

/** The declared hooks of a site, each with its kind. */
export class HookKinds {
  readonly #kinds = new Map<string, HookKind>();

  /** Declaring a hook again with the same kind changes nothing. @throws ERR_HOOK_KIND. */
  declare(name: string, kind: HookKind): void {
    const known = this.#kinds.get(name);
    if (known !== undefined && known !== kind) {
      throw new SiteError("ERR_HOOK_KIND", `hook "${name}" is declared as ${known} and as ${kind}`);
    }
    this.#kinds.set(name, kind);
  }

  all(): ReadonlyMap<string, HookKind> {
    return this.#kinds;
  }

  /** @throws ERR_HOOK_UNKNOWN with the listening plugins and the nearest name. */
  assertDeclared(name: string, listeners: readonly { plugin: string }[]): void {
    if (this.#kinds.has(name)) return;
    const plugins = [...new Set(listeners.map(({ plugin }) => `"${plugin}"`))].join(", ");
    throw new SiteError("ERR_HOOK_UNKNOWN", `plugin ${plugins} listens to unknown hook "${name}"`, {
      fix: this.#hint(name) ?? "select the plugin that fires it",
    });
  }

  /** Checks that the verb fits the hook. @throws ERR_HOOK_UNKNOWN, ERR_HOOK_KIND. */
  assertKind(name: string, verbKind: HookKind): void {
    const kind = this.#kinds.get(name);
    if (kind === verbKind) return;
    if (kind === undefined) {
      throw new SiteError("ERR_HOOK_UNKNOWN", `hook "${name}" is fired but not declared`, {
        fix: this.#hint(name) ?? "declare it in the plugin's `fires`",
      });
    }
    throw new SiteError("ERR_HOOK_KIND", `hook "${name}" is of kind ${kind}, fired as ${verbKind}`);
  }

  #hint(name: string): string | null {
    const hint = nearest(name, [...this.#kinds.keys()]);
    return hint === null ? null : `did you mean "${hint}"?`;
  }
}
