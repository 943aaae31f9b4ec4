/** Open sites of tests; those of failed tests are closed when the test run ends. */
import { createRequire } from "node:module";

/** What a test opens and its run closes. */
interface Closable {
  close(): Promise<void>;
}
type AfterHook = (body: () => Promise<void>) => unknown;

const HARNESS = /test_runner\/harness$/;

/** The open sites of a process. */
export class OpenSites {
  readonly #open = new Set<Closable>();

  /** Closes the sites when the tests of this process have ended; call it while a test file loads. */
  closeAtEnd(): void {
    findRunnerHook()?.(() => this.closeAll());
  }

  add(site: Closable): void {
    this.#open.add(site);
  }

  remove(site: Closable): void {
    this.#open.delete(site);
  }

  /** Closes the remaining sites. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((site) => site.close()));
  }
}

/** Registers a hook after all tests, in mocha, `node:test`, jest or vitest; null without a runner. */
function findRunnerHook(): AfterHook | null {
  const globals: { after?: unknown; afterAll?: unknown } = globalThis;
  return [globals.after, findNodeTestHook(), globals.afterAll].find(isHook) ?? null;
}

/** Only if a test file has loaded `node:test`: a hook makes a process report its tests. */
function findNodeTestHook(): unknown {
  const loaded: unknown = "moduleLoadList" in process ? process.moduleLoadList : [];
  const isLoaded = Array.isArray(loaded) && loaded.some((name) => HARNESS.test(String(name)));
  if (!isLoaded) return undefined;
  return (createRequire(import.meta.url)("node:test") as { after?: unknown }).after;
}

function isHook(value: unknown): value is AfterHook {
  return typeof value === "function";
}
