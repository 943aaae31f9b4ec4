/**
 * The panel: an application in the browser for writers and administrators. It uses the admin API alone.
 * Uses: admin.
 */
import { definePlugin } from "#kernel";
import type {} from "../admin/contract.js";
import { ClientFiles } from "./client-files.js";
import { SCREEN_PATHS } from "./screen-paths.js";
import { shellDocument } from "./shell-document.js";

export default definePlugin({
  name: "panel",
  version: "1.0.0",
  onlyServing: true,
  description: "Editor and administration in the browser",
  requires: ["admin"],
  setup(site) {
    const admin = site.use("admin", { optional: true });
    if (admin === undefined) return;
    const files = new ClientFiles();
    admin.assets("panel", (name) => files.find(name));
    admin.document({
      paths: SCREEN_PATHS,
      render: async ({ identity, nonce }) =>
        shellDocument({
          files: await files.entries(),
          ...{ nonce, path: admin.path, menu: admin.menu(identity) },
          title: site.settings.site.title,
        }),
    });
  },
});
