/**
 * Small stores of plugins: collections, logs, bytes and journals, as files or in a database; stores the changes too.
 * Provides: records.
 * Opens: records.
 * Adds: changeStore.
 */
import { definePlugin } from "#kernel";
import { recordErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "records",
  version: "1.0.0",
  description: "Small stores of plugins",
  errors: recordErrors,
  settings,
  async setup(site) {
    const { setUpRecords } = await import("./set-up.js");
    setUpRecords(site);
  },
});
