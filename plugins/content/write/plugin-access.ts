/** Lets other plugins work on the content folder: prepare it, change its files, guard its paths. */
import {
  expectKind,
  type ExtensionList,
  type Extensions,
  failureFields,
  type SiteContext,
  SiteError,
} from "#kernel";
import type { ContentStore } from "../index/content-store.js";

const expectReason = expectKind("string", "null");
/** Maximum time to prepare the content, in ms: a first download may be large. */
const PREPARE_LIMIT_MS = 10 * 60_000;

/** The lists for it, and the way in for changes that the write path did not make. */
export class PluginAccess {
  readonly #log: SiteContext["log"];
  readonly #guards: ExtensionList<Extensions["writeGuards"]>;
  readonly #preparations: ExtensionList<Extensions["prepareContent"]>;

  constructor(site: Pick<SiteContext, "extensions" | "log">) {
    const check = expectKind("function");
    this.#log = site.log;
    this.#guards = site.extensions.open("writeGuards", {
      check,
      fix: 'add a function: (path) => (path.startsWith("legal/") ? "why not" : null)',
    });
    this.#preparations = site.extensions.open("prepareContent", {
      check,
      fix: "add a function that does the work: async () => { … }",
      limitMs: PREPARE_LIMIT_MS,
    });
  }

  /** Runs before the first reading. @throws an error that names the plugin whose work fails. */
  async prepare(): Promise<void> {
    for (const preparation of this.#preparations.all) {
      const { plugin } = preparation;
      this.#log.debug("content.preparing", { by: plugin });
      await preparation.call<unknown>(
        (prepare) => prepare(),
        (cause) => {
          throw unprepared(plugin, cause);
        },
      );
    }
  }

  /** Why a path may not be written; null: it may. A guard that fails lets nothing through. */
  guard(path: string): string | null {
    for (const { plugin, value } of this.#guards.all) {
      const reason = this.#reasonOf(plugin, value, path);
      if (reason !== null) return reason;
    }
    return null;
  }

  #reasonOf(plugin: string, guard: Extensions["writeGuards"], path: string): string | null {
    const who = `the write guard of plugin ${JSON.stringify(plugin)}`;
    try {
      const reason: unknown = guard(path);
      if (reason === null || typeof reason === "string") return reason;
      // A promise is not awaited: its rejection would end the process.
      void Promise.resolve(reason).catch(() => undefined);
      throw new SiteError(
        "ERR_EXTENSION_VALUE",
        `it returned neither a reason nor null: ${expectReason(reason)}`,
        {
          fix: "return a reason as text, or null",
        },
      );
    } catch (error) {
      const fields = failureFields(error);
      this.#log.error("content.guard_failed", { by: plugin, path, ...fields });
      return `${who} failed: ${fields.error}`;
    }
  }

  /** Runs work that changes files while nothing else is written, then reads them. @throws the error of `work`. */
  async update(
    store: Pick<ContentStore, "write" | "refresh">,
    work: () => Promise<readonly string[]>,
  ): Promise<void> {
    let working: Promise<readonly string[]> = Promise.resolve([]);
    await store.write(async () => {
      working = Promise.resolve().then(work);
      // Other writes of the turn go on when it fails.
      await Promise.allSettled([working]);
      return null;
    });
    const touched = await working;
    // In parts, between which saves go on.
    if (touched.length > 0) await store.refresh(touched);
  }
}

function unprepared(plugin: string, cause: unknown): SiteError {
  const { error, code = "ERR_PLUGIN_SETUP", fix } = failureFields(cause);
  return new SiteError(code, `plugin "${plugin}" could not prepare the content: ${error}`, {
    cause,
    plugin,
    fix: fix ?? `fix it, or disable it: plugins: { ${plugin}: { enabled: false } }`,
  });
}
