/**
 * Prepares a test process of `site plugins:test`, before the tests are loaded. The parameters of its URL come
 * from the parent process: `aliases`, modules that plugins import without installing them, as JSON from
 * name to file; `jiti`, the URL of the hooks that compile TypeScript.
 */
import { register } from "node:module";
import { after, afterEach, before, beforeEach, describe, it, test } from "node:test";

const { searchParams } = new URL(import.meta.url);

// Tests written for mocha or jest expect the functions of the runner as globals.
Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it, test });
process.env.JITI_ALIAS = searchParams.get("aliases");
const hooks = new URLSearchParams({ jiti: searchParams.get("jiti") });
register(`./test-hooks.mjs?${hooks}`, import.meta.url);
