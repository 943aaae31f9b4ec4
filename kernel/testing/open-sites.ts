/** Sites of tests that are open; those of failed tests are closed when the test run ends. */
import { createRequire } from "node:module";

interface Closable {
  close(): Promise<void>;
}
type AfterHook = (body: () => Promise<void>) => unknown;

const HARNESS = /test_runner\/harness$/;

/** The open sites of a process. */
export class OpenSites {
  readonly #open = new Set<Closable>();

  /** Closes the sites when the tests of this process have ended; to be called while a test file loads. */
  closeAtEnd(): void {
    hookOfRunner()?.(() => this.closeAll());
  }

  add(site: Closable): void {
    this.#open.add(site);
  }

  remove(site: Closable): void {
    this.#open.delete(site);
  }

  /** Closes those that are still open. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((site) => site.close()));
  }
}

/** What registers a hook after all tests: of mocha, of `node:test`, of jest or vitest; null without a runner. */
function hookOfRunner(): AfterHook | null {
  const globals: { after?: unknown; afterAll?: unknown } = globalThis;
  const found = [globals.after, nodeTestHook(), globals.afterAll].find(isHook);
  return found ?? null;
}

/** Only where a test file has loaded it: a hook makes a process report its tests. */
function nodeTestHook(): unknown {
  const loaded: unknown = "moduleLoadList" in process ? process.moduleLoadList : [];
  const isLoaded = Array.isArray(loaded) && loaded.some((name) => HARNESS.test(String(name)));
  if (!isLoaded) return undefined;
  return (createRequire(import.meta.url)("node:test") as { after?: unknown }).after;
}

function isHook(value: unknown): value is AfterHook {
  return typeof value === "function";
}
