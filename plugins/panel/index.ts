/**
 * The panel: an application in the browser for writers and administrators. It uses the admin API alone.
 * Uses: admin.
 * Opens: panelExtensions.
 * Adds: pageHead.
 */
import { definePlugin, type SiteContext } from "#kernel";
import { SitePath } from "#kernel/internal";
import type { AdminService } from "../admin/contract.js";
import type {} from "../render/contract.js";
import { ClientFiles } from "./client-files.js";
import type {} from "./contract.js";
import { editLink, editLinkHead } from "./edit-link.js";
import { panelErrors } from "./errors.js";
import { ExtensionFiles, EXTENSION_FILE_RULES } from "./extension-files.js";
import { SCREEN_PATHS, shellDocument } from "./shell-document.js";

export default definePlugin({
  name: "panel",
  version: "1.0.0",
  onlyServing: true,
  description: "Editor and administration in the browser",
  requires: ["admin"],
  after: ["render"],
  errors: panelErrors,
  setup(site) {
    const extensions = new ExtensionFiles(
      site.extensions.open("panelExtensions", EXTENSION_FILE_RULES),
    );
    const admin = site.use("admin", { optional: true });
    if (admin === undefined) return;
    const files = new ClientFiles();
    const base = new SitePath(site.settings.site.url).prefix;
    admin.assets("panel", (name) => files.find(name));
    admin.assets("extensions", (name) => extensions.find(name));
    // A missing file is reported at startup.
    site.lifecycle.onReady(async () => extensions.assertReadable());
    admin.document({
      paths: SCREEN_PATHS,
      render: async ({ identity, nonce }) =>
        shellDocument({
          files: await files.entries(),
          nonce,
          path: admin.path,
          menu: admin.menu(identity),
          base,
          title: site.settings.site.title,
          extensions: await extensions.entries(),
          cursor: site.changes.cursor,
        }),
    });
    addEditLink(site, admin);
  },
});

function addEditLink(site: SiteContext, admin: AdminService): void {
  if (!site.settings.admin.edit_link) return;
  const link = editLink();
  const head = editLinkHead(admin.path, link);
  admin.assets("page", (name) => Promise.resolve(name === link.name ? link.asset : null));
  site.extensions.add("pageHead", () => head);
}
