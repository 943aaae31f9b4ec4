/**
 * Sessions of visitors and of the admin panel, and `req.session`, with an exchangeable store.
 * Provides: session, sessionLists
 * Uses: records
 * Opens: sessionStore
 * Fires: onSessionStoreCreate
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { sessionErrors } from "./errors.js";
import { settings } from "./settings.js";

const packages = new OptionalPackages({
  plugin: "session",
  packages: ["redis", "connect-redis"],
  neededBy: ({ settings: { system } }) =>
    system.session_store.type === "redis" ? "session_store.type: redis" : null,
});

export default definePlugin({
  name: "session",
  version: "1.0.0",
  async diagnostics() {
    const { redisCheck } = await import("#lib/diagnostics");
    return [
      packages.diagnostic,
      redisCheck(
        ({ system }) => system.session_store.type === "redis" && (system.session_store.url ?? true),
      ),
    ];
  },
  onlyServing: true,
  errors: sessionErrors,
  requires: ["records"],
  settings,
  fires: { onSessionStoreCreate: "create" },
  async setup(site) {
    await packages.assertInstalled(site);
    const { setUpSession } = await import("./set-up.js");
    await setUpSession(site);
  },
});
