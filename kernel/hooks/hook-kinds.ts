import { type ValueCheck, nearest } from "#lib/values";
import { SiteError } from "#lib/errors";
import type { HookKind } from "../contracts.js";
import type { Declaration } from "./define-hook.js";

const KINDS: readonly unknown[] = ["create", "transform", "notify"] satisfies HookKind[];
const VERBS = { create: "run", transform: "transform", notify: "notify" } as const;
const NAME = /^on[A-Z]\w*$/;

/** A handler's plugin; `kind` is the kind in the definition it was registered with, if any. */
interface Listener {
  plugin: string;
  kind: HookKind | null;
}

/** The declared hooks of a site, each with its kind. */
export class HookKinds {
  readonly #kinds = new Map<string, HookKind>();
  readonly #declarations = new Map<string, Declaration>();

  /**
   * Plugins may repeat the declaration of a hook, but not with another kind or definition.
   * @throws ERR_HOOK_KIND, ERR_HOOK_DUPLICATE naming hook and plugins.
   */
  declare(declaration: Declaration): void {
    assertValid(declaration);
    const { name, kind } = declaration;
    const earlier = this.#declarations.get(name);
    if (earlier !== undefined) assertSame(earlier, declaration);
    this.#declarations.set(name, earlier ?? declaration);
    this.#kinds.set(name, kind);
  }

  /** The check of the payload, if the hook declares one. */
  checkOf(name: string): ValueCheck | null {
    return this.#declarations.get(name)?.check ?? null;
  }

  all(): ReadonlyMap<string, HookKind> {
    return this.#kinds;
  }

  /** @throws ERR_HOOK_UNKNOWN with the listening plugins and the nearest name; ERR_HOOK_KIND. */
  assertDeclared(name: string, listeners: readonly Listener[]): void {
    const declared = this.#declarations.get(name);
    if (declared !== undefined) {
      for (const { plugin, kind } of listeners) {
        if (kind !== null && kind !== declared.kind)
          throw otherKind(declared, {
            name,
            kind,
            check: null,
            definition: null,
            owner: plugin,
          });
      }
      return;
    }
    const plugins = [...new Set(listeners.map(({ plugin }) => `"${plugin}"`))].join(", ");
    throw new SiteError("ERR_HOOK_UNKNOWN", `plugin ${plugins} listens to unknown hook "${name}"`, {
      fix:
        this.#hint(name) ??
        "select the plugin that fires it; the page /extend/hooks lists all hooks",
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
    throw new SiteError(
      "ERR_HOOK_KIND",
      `hook "${name}" is of kind ${kind}, fired as ${verbKind}`,
      {
        fix: `fire it with ${VERBS[kind]}()`,
      },
    );
  }

  #hint(name: string): string | null {
    const hint = nearest(name, [...this.#kinds.keys()]);
    return hint === null ? null : `did you mean "${hint}"?`;
  }
}

function assertValid(
  declaration: Declaration,
): asserts declaration is Declaration & { kind: HookKind } {
  const { name, kind, owner, definition } = declaration;
  if (definition !== null && !NAME.test(String(name))) {
    throw new SiteError(
      "ERR_HOOK_NAME",
      `plugin "${owner}" declares a hook with the name ${JSON.stringify(name)}`,
      { fix: "name it after an event, like onOrderPaid" },
    );
  }
  if (KINDS.includes(kind)) return;
  throw new SiteError(
    "ERR_HOOK_KIND",
    `plugin "${owner}" declares hook "${name}" with the kind ${JSON.stringify(kind)}`,
    { fix: "use create, transform or notify" },
  );
}

function assertSame(earlier: Declaration, later: Declaration): void {
  if (earlier.kind !== later.kind) throw otherKind(earlier, later);
  const { definition } = later;
  if (earlier.definition === definition) return;
  const where =
    earlier.owner === later.owner
      ? `twice by plugin "${later.owner}"`
      : `by plugin "${earlier.owner}" and by plugin "${later.owner}"`;
  throw new SiteError("ERR_HOOK_DUPLICATE", `hook "${later.name}" is declared ${where}`, {
    fix: "rename one of them, or export one definition and list it in `fires` of both",
  });
}

function otherKind(earlier: Declaration, later: Declaration): SiteError {
  return new SiteError(
    "ERR_HOOK_KIND",
    `hook "${later.name}" is declared as ${String(earlier.kind)} by plugin "${earlier.owner}" and as ${String(later.kind)} by plugin "${later.owner}"`,
    { fix: "use one kind, or rename one of the hooks" },
  );
}
